import { MINUTE_MS } from '#contract/limits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { addDoctor } from '#server/features/accounts/signup/new-account.ts';
import { ban } from '#server/features/verification/administration.ts';
import { holdDisputedReviews } from '#server/features/verification/disputed-reviews.ts';
import { openDisputes, timeToHold } from '#server/features/verification/disputes.ts';
import { recordProof } from '#server/features/verification/proofs.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import type { Pair } from './order.ts';
import type { Person } from './people.ts';
import { randomFrom } from './random.ts';
import type { World } from './world.ts';

/** How many members lose their NPI to someone who proves it: enough to notice a leak. */
const LOSERS = 32;
const PROBES = 10;
const BANS = 6;

/** Evidence for a match with the registry. */
const MATCHED = {
  ...NO_EVIDENCE,
  checks: { known: true, active: true, individual: true, physician: true, name_matches: true },
};

/**
 * What happens to NPIs after everyone has written: some people sign up with a taken NPI and stop
 * there; others prove it and displace its holder; some former members return; some get banned.
 */
export async function claimNpis(world: World): Promise<void> {
  const { server, members, authors, lockedAt, departed, losers } = world;
  // Its own random source, so that it does not change what happened before.
  const random = randomFrom(31);
  const others = random.shuffled(members);
  const posted = new Set(authors.values());
  const canLose = others.filter(({ userId }) => posted.has(userId) && !lockedAt.has(userId));
  const chosen = canLose.slice(0, LOSERS);
  const rest = others.filter((member) => !chosen.includes(member));
  const acts = [
    ...chosen.map(({ person, userId }) => async () => {
      await prove(world, await claim(world, person));
      losers.push(userId);
    }),
    ...rest.slice(0, PROBES).map(
      ({ person }) =>
        () =>
          claim(world, person),
    ),
    ...rest.slice(PROBES, PROBES + BANS).map(({ userId }) => () => {
      return ban(server.deps, { actor: 'cli', reason: 'reviews for money' }, userId);
    }),
    ...departed.map((leaver) => async () => {
      leaver.now = await claim(world, leaver.person);
      await prove(world, leaver.now);
    }),
  ];
  for (const act of random.shuffled(acts)) {
    await act();
    server.time.now = new Date(server.time.now.getTime() + MINUTE_MS / 4);
  }
}

/** Signs up with this person's NPI and name. */
function claim({ server, random }: World, person: Person): Promise<string> {
  return addDoctor(server.deps, {
    ...person,
    email: `${random.letters(12)}@${random.letters(9)}.example`,
    password: null,
    profile: { verification_status: 'needs_proof' },
    evidence: MATCHED,
  });
}

const prove = ({ server: { deps } }: World, userId: string) =>
  inTransaction(deps.db, (trx) => recordProof(deps, trx, userId, { kind: 'letter' }));

/**
 * Lets the months of the disputes pass. The job runs whenever a review comes due. Returns the held
 * reviews with their authors, in the order they were held.
 */
export async function passMonths({ server, authors, lockedAt, losers }: World) {
  const { deps, time } = server;
  const disputes = await openDisputes(deps.keys, deps.db);
  const rows = await deps.db
    .selectFrom('reviews')
    .select('id')
    .where('removed_reason', 'is', null)
    .execute();
  const published = new Set(rows.map(({ id }) => id));
  // Reviews that were locked since then are not found.
  const due = [...authors]
    .filter(([id, owner]) => published.has(id) && losers.includes(owner) && !lockedAt.has(owner))
    .flatMap(([key, owner]) => {
      const dispute = disputes.find(({ userId }) => userId === owner);
      return dispute ? [{ key, owner, at: timeToHold(dispute, key) }] : [];
    })
    .toSorted((one, other) => one.at - other.at);
  const held = [];
  for (const one of due) {
    time.now = new Date(one.at + MINUTE_MS);
    await holdDisputedReviews(deps)({});
    held.push(one);
  }
  return held;
}

/** The last held review of each author. Several per author would count the same finding twice. */
export const lastOfEach = (held: readonly Pair[]): Pair[] => [
  ...new Map(held.map(({ key, owner }) => [owner, { key, owner }])).values(),
];
