import type { RouteOptions } from 'fastify';
import { expect, test } from 'vitest';
import { buildApp, createApp } from '#server/app.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { codeIn, tableUnder } from './markdown.ts';

/** Every endpoint of the API with its access, as the server registers them. */
async function registered(): Promise<string[]> {
  await using server = await buildTestApp();
  const routes: RouteOptions[] = [];
  const app = createApp(server.deps.config, () => {});
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  await buildApp(app, { deps: server.deps });
  return routes
    .filter(({ url, schema }) => url.startsWith('/api/') && !schema?.hide)
    .flatMap(({ method, url, config }) =>
      [method].flat().map((one) => `${one} ${url} ${config?.access}`),
    )
    .filter((endpoint) => !endpoint.startsWith('HEAD '));
}

test('docs/api.md has every endpoint with its access, and no other', async () => {
  const documented = tableUnder('docs/api.md', 'Endpoints').flatMap(({ method = '', ...row }) => {
    const [path] = codeIn(row['path'] ?? '');
    const [access] = codeIn(row['access'] ?? '');
    return method.split(', ').map((one) => `${one} ${path} ${access}`);
  });
  expect(documented.sort()).toEqual((await registered()).sort());
});
