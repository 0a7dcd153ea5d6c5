import { expect, test, vi } from 'vitest';
import { openAuthor } from '#server/anonymity/author.ts';
import { waitingForLocks } from '#server/features/accounts/testing/index-keys.ts';
import { holdAuthor } from '#server/features/reviews/scheduled/scheduled-queries.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

test('an account that waits for itself leaves connections for everybody else', async () => {
  await using server = await buildTestApp();
  const { app, deps } = server;
  const [author, voter] = [await signedInDoctor(server), await signedInDoctor(server)];
  const payload = reviewOf(await newEmployer(server));
  const posted = await app.inject({
    method: 'POST',
    url: '/api/reviews/',
    headers: author.headers,
    payload,
  });
  const url = `/api/reviews/${posted.json().id}/helpful/`;
  const background = deps.database.background.db;
  let votes: Promise<{ statusCode: number }>[] = [];
  await background.transaction().execute(async (trx) => {
    await holdAuthor(trx, openAuthor(deps.keys, voter.userId).keys, null);
    votes = Array.from({ length: 60 }, () =>
      app.inject({ method: 'POST', url, headers: voter.headers }),
    );
    await vi.waitFor(async () => expect(await waitingForLocks(background)).toBe(4), {
      timeout: 10_000,
    });
    // All are simultaneous, and none waits for a connection.
    const pages = await Promise.all(
      Array.from({ length: 8 }, (_, at) => app.inject({ url: `/api/employers/?page=${at + 1}` })),
    );
    expect(pages.every(({ statusCode }) => statusCode < 500)).toBe(true);
    expect(await waitingForLocks(background)).toBe(4);
  });
  for (const vote of votes) expect((await vote).statusCode).toBe(200);
});
