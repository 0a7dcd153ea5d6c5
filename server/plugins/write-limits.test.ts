import { expect } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { castVoteEndpoints } from '#contract/endpoints/feedback.ts';
import { openAuthor } from '#server/anonymity/author.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { holdAuthor } from '#server/features/reviews/rows/scheduled-queries.ts';
import { test } from '#server/testing/site.ts';

test('an account that waits for itself leaves connections for everybody else', async ({ site }) => {
  const { keys, database } = site.deps;
  const voter = await site.doctor();
  const { id } = await site.review();
  const vote = () => site.as(voter).post(castVoteEndpoints.helpful, { params: { id } });
  const background = database.background.db;
  let votes: ReturnType<typeof vote>[] = [];
  await background.transaction().execute(async (trx) => {
    await holdAuthor(trx, openAuthor(keys, voter.userId).keys, null);
    votes = Array.from({ length: 60 }, vote);
    await expect.poll(() => waitingForLocks(background)).toBe(4);
    // All are simultaneous, and none waits for a connection.
    const numbers = Array.from({ length: 8 }, (_, at) => at + 1);
    const read = (page: number) => site.visitor().get(employerEndpoints.list, { query: { page } });
    const pages = await Promise.all(numbers.map(read));
    expect(pages.every(({ status }) => status < 500)).toBe(true);
    expect(await waitingForLocks(background)).toBe(4);
  });
  for (const { status } of await Promise.all(votes)) expect(status).toBe(200);
});
