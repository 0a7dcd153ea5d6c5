import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { databaseProxy } from '#server/testing/database-proxy.ts';
import { listening, spawnServer, urlOf } from '#server/testing/server-process.ts';

const SEARCHES = 10;

test('cached responses continue while the database is away, and all others are 503', async () => {
  const { db } = await testDatabase();
  const proxy = await databaseProxy();
  const child = await spawnServer(db, { DATABASE_URL: await urlOf(db, proxy.port) });
  const url = await listening(child);
  const ask = async (path: string) => {
    const { status, headers } = await fetch(url + path);
    return { status, retryAfter: headers.get('retry-after') };
  };
  const found = { status: 200, retryAfter: null };
  const cached = ['/api/employers/', '/api/reviews/'];
  for (const path of cached) expect(await ask(path)).toEqual(found);

  proxy.cut();
  const searches = Array.from({ length: SEARCHES }, (_, at) => `?search=word${at}`);
  const refused = cached.flatMap((path) => searches.map((search) => ask(path + search)));
  for (const path of cached) expect(await ask(path)).toEqual(found);
  for (const answer of await Promise.all(refused)) {
    expect(answer).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
  }
  for (const path of cached) expect(await ask(path)).toEqual(found);

  proxy.restore();
  const back = () => ask('/api/employers/?search=clinic');
  await expect.poll(back).toEqual(found);
  for (const path of cached) expect(await ask(path)).toEqual(found);
});
