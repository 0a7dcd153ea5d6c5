import { readEverything } from '#server/features/accounts/testing/traces.ts';
import { expect, testWith } from '#server/testing/site.ts';

const test = testWith();

interface OpenApi {
  paths: Record<string, { get?: object }>;
}

test('no GET request changes anything, for any caller', async ({ site }) => {
  const { app, deps, jobs, mail } = site;
  const [author, admin] = [await site.doctor(), await site.admin()];
  const employer = await site.employer();
  const review = await site.review({ by: author, at: employer });
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
    const id = path.includes('/reviews/{id}/') ? review.id : employer;
    for (const { headers } of [{ headers: {} }, author, admin]) {
      await app.inject({ url: path.replace('{id}', String(id)), headers });
    }
  }
  await jobs.idle();
  expect(await readEverything(deps.database.pool, tables)).toEqual(before);
  expect(mail).toEqual(mailBefore);
});
