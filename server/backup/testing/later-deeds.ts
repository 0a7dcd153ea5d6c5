import { leave } from '#server/anonymity/testing/deeds.ts';
import type { Member, World } from '#server/anonymity/testing/world.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { dismissAccount } from '#server/features/accounts/identity/staff.ts';
import { bearer } from '#server/features/accounts/testing/account-flows.ts';
import { savedOf } from '#server/features/saved/testing/saved.ts';
import { ban } from '#server/features/verification/administration.ts';
import type { TestApp } from '#server/testing/app.ts';
import { signedInAdmin } from '#server/testing/factories.ts';

const MAILED = { template: 'verified', props: {} } as const;
/** Later than the test. */
const WAITING = { startAfterSeconds: 3600 };

/** What happens around a backup, and the expected state after a restore. */
export async function aroundBackup(server: TestApp, world: World) {
  const { own, request, lockedAt, members, scheduled, losers } = world;
  const taken = new Set<Member>();
  // A restore refuses to delete a large share of the reviews.
  const byReviews = members.toSorted((one, other) => own(one).length - own(other).length);
  const pick = (isFit: (one: Member) => boolean): Member => {
    // A doctor who has lost the NPI cannot leave reviews behind.
    const found = byReviews.find(
      (one) => !taken.has(one) && !losers.includes(one.userId) && isFit(one),
    );
    if (!found) throw new Error('nobody is left');
    taken.add(found);
    return found;
  };
  const wrote = (count: number, isLocked: boolean) =>
    pick((one) => own(one).length >= count && lockedAt.has(one.userId) === isLocked);
  const ok = async (...what: Parameters<typeof request>) => {
    const answer = await request(...what);
    if (answer.statusCode >= 300) throw new Error(answer.body);
  };

  // A restore recognizes what a locked author left behind by the key that it shared.
  const shared = await reviewsWithSharedKey(server);
  const recognized = (one: Member) =>
    lockedAt.has(one.userId) ? own(one).filter((id) => shared.has(id)) : own(one);
  const leavers = [
    { member: wrote(2, false), how: 'keep' },
    { member: pick((one) => lockedAt.has(one.userId) && recognized(one).length > 1), how: 'keep' },
    { member: wrote(1, false), how: 'delete' },
    { member: wrote(1, true), how: 'delete' },
    { member: wrote(2, false), how: 'delete_gradually' },
  ] as const;
  const [saver, deleter] = [wrote(1, false), wrote(1, false)];
  const undecided = await reviewsWithoutDecision(server);
  const removable = (one: Member) => own(one).find((id) => undecided.has(id)) ?? '';
  const hidden = pick((one) => !lockedAt.has(one.userId) && removable(one) !== '');
  const stays = { open: wrote(1, false), locked: wrote(1, true) };
  const takesBack = pick((one) => own(one, scheduled).length > 0);
  const banned = pick(() => true);
  const auditor = await signedInAdmin(server, ['auditor']);
  const [first, second] = ['/employers/1', '/employers/2'];
  await ok(saver, 'POST', '/saved/', { entries: [first, second] });
  const saved = await savedOf(server, { headers: bearer(saver.access) });
  await ok(saver, 'POST', '/saved/weekly-mail/', { weekly_mail: true });
  for (const { person } of [leavers[0].member, stays.open]) {
    const job = { to: person.email, ...MAILED };
    await server.jobs.enqueue(server.deps.db, 'send-mail', job, WAITING);
  }
  const left = leavers.map(({ member, how }) => ({
    userId: member.userId,
    person: member.person,
    how,
    ids: how === 'keep' ? recognized(member) : own(member),
  }));
  const deleted = own(deleter)[0] ?? '';
  const takenBack = own(takesBack, scheduled)[0] ?? '';
  const removed = removable(hidden);

  return {
    left,
    saver,
    kept: saved.entries.filter((entry) => entry !== second),
    deleted,
    takenBack,
    removed,
    stays,
    banned: banned.userId,
    auditor: auditor.userId,
    /** What happens after the backup. */
    async goOn() {
      for (const { member, how } of leavers) await leave(world, member, how);
      await ok(deleter, 'DELETE', `/reviews/${deleted}/`);
      await ok(takesBack, 'DELETE', `/reviews/${takenBack}/`);
      await ok(saver, 'POST', '/saved/remove/', { entries: [second] });
      await ok(saver, 'POST', '/saved/weekly-mail/', { weekly_mail: false });
      const reason = { reason: 'Names a patient' };
      const answer = await world.administer(`/reviews/${removed}/remove/`, reason);
      if (answer.statusCode !== 200) throw new Error(answer.body);
      await ban(server.deps, { actor: 'cli', reason: 'Not a doctor' }, banned.userId);
      await dismissAccount(server.deps.db, auditor.userId);
      const refused = world.speakers[0]?.userId ?? '';
      const refusal = ['representatives', 'refuse', refused, '--reason', 'Speaks for nobody'];
      const { code, errors } = await curbside(server, refusal);
      if (code !== 0) throw new Error(errors);
    },
  };
}

const reviewsWithSharedKey = (server: TestApp) =>
  reviewsWhere(
    server,
    `id in (select review_id from review_authors where author_key in (
      select author_key from review_authors join reviews on id = review_id
      group by author_key having count(*) > 1))`,
  );

/** Others may have an open appeal, which must be decided first. */
const reviewsWithoutDecision = (server: TestApp) =>
  reviewsWhere(
    server,
    `removed_reason is null and id not in (select review_id from review_decisions)`,
  );

async function reviewsWhere({ deps }: TestApp, condition: string): Promise<ReadonlySet<string>> {
  const { rows } = await deps.database.pool.query<{ id: string }>(
    `select id from reviews where ${condition}`,
  );
  return new Set(rows.map(({ id }) => id));
}
