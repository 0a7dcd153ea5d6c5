import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import type { Member } from '#server/features/accounts/testing/account-flows.ts';
import { deleteDeparted } from '#server/features/reviews/departed-authors.ts';
import { publishScheduled } from '#server/features/reviews/scheduled/scheduled-reviews.ts';
import { buildObservedSite, type ObservedSite } from './testing/observed-site.ts';
import { NOTHING, together } from './testing/observer.ts';

/** What the public sees when reviews appear or disappear later than their authors act. */

let site: ObservedSite;
beforeAll(async () => {
  site = await buildObservedSite();
});
afterAll(() => site.server[Symbol.asyncDispose]());

const leave = (member: Member, reviews: string) =>
  site.do('/auth/delete-account/', { password: member.password, reviews }, member);

test('the public sees reviews that are deleted with the account disappear together, at once', async () => {
  const member = await site.newAuthor();
  const ids = [await site.write(member, 2), await site.write(member, 3)];
  const seen = await site.seen(() => leave(member, 'delete'));
  expect(together(seen)).toEqual(new Set(ids));
});

test('the public sees reviews that are deleted one by one disappear one at a time', async () => {
  const { deps, time } = site.server;
  const member = await site.newAuthor();
  const ids = [await site.write(member, 2), await site.write(member, 3)];
  expect(await site.seen(() => leave(member, 'delete_gradually'))).toEqual(NOTHING);
  const rows = await deps.db.selectFrom('departing_reviews').selectAll().execute();
  const gone = [];
  for (const { leaves_at } of rows.toSorted((a, b) => Number(a.leaves_at) - Number(b.leaves_at))) {
    const seen = await site.seen(async () => {
      time.now = leaves_at;
      await deleteDeparted(deps);
    });
    expect(together(seen).size).toBe(1);
    gone.push(...seen.vanished);
  }
  expect(gone.toSorted()).toEqual(ids.toSorted());
});

test('the public sees a scheduled review appear alone, in its minute', async () => {
  const { deps, time } = site.server;
  const id = await site.write(await site.newAuthor(), 5, { publish: 'later' });
  const seen = await site.seen(async () => {
    time.now = new Date(time.now.getTime() + 3 * DAY_MS);
    await publishScheduled(deps);
  });
  expect(together(seen)).toEqual(new Set([id]));
});
