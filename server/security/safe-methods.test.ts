import { expect, test } from 'vitest';
import { readEverything } from '#server/features/accounts/testing/traces.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInAdmin, signedInDoctor } from '#server/testing/factories.ts';

interface OpenApi {
  paths: Record<string, { get?: object }>;
}

test('no GET request changes anything, for any caller', { timeout: 60_000 }, async () => {
  await using server = await buildTestApp();
  const { app, deps, jobs, mail } = server;
  const author = await signedInDoctor(server);
  const admin = await signedInAdmin(server);
  const employer = await newEmployer(server);
  const url = '/api/reviews/';
  const payload = reviewOf(employer);
  const posted = await app.inject({ method: 'POST', url, payload, headers: author.headers });
  await jobs.idle();
  const { paths } = (await app.inject('/api/docs/json')).json<OpenApi>();
  const gets = Object.entries(paths).flatMap(([path, { get }]) => (get ? [path] : []));
  expect(gets.length).toBeGreaterThan(15);

  // The queue maintains its own tables.
  const tables = (await deps.db.introspection.getTables())
    .filter(({ schema }) => schema === 'public')
    .map(({ name }) => name);
  const mailBefore = [...mail];
  const before = await readEverything(deps.database.pool, tables);
  for (const path of gets) {
    const id = path.includes('/reviews/{id}/') ? posted.json().id : employer;
    for (const { headers } of [{ headers: {} }, author, admin]) {
      await app.inject({ url: path.replace('{id}', id), headers });
    }
  }
  await jobs.idle();
  expect(await readEverything(deps.database.pool, tables)).toEqual(before);
  expect(mail).toEqual(mailBefore);
});
