import type { RouteOptions } from 'fastify';
import { expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { buildApp } from '#server/app.ts';
import { createApp } from '#server/http/create-app.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { codeIn, nameIn, tableUnder } from './markdown.ts';

const DECLARED = Object.values(endpoints).flatMap((group) => Object.values<Endpoint>(group));

/** Every endpoint of the API with its access, as the server registers them. */
async function registered(): Promise<string[]> {
  await using server = await buildTestApp();
  const routes: RouteOptions[] = [];
  const app = createApp(server.deps.config, () => {});
  app.addHook('onRoute', (route) => void routes.push(route));
  await buildApp(app, { deps: server.deps });
  return routes
    .filter(({ url, schema }) => url.startsWith('/api/') && !schema?.hide)
    .flatMap(({ method, url, config }) =>
      [method].flat().map((one) => `${one} ${url} ${config?.access}`),
    )
    .filter((endpoint) => !endpoint.startsWith('HEAD '));
}

test('the server has a route for every endpoint in the contract, and no others', async () => {
  const declared = DECLARED.map(({ method, path, access }) => `${method} /api${path} ${access}`);
  expect((await registered()).sort()).toEqual(declared.sort());
});

test('docs/api.md lists every endpoint with its access, and no others', async () => {
  const documented = tableUnder('docs/api.md', 'Endpoints').flatMap((row) =>
    codeIn(row['paths under `/api`'] ?? '').map(
      (path) => `${row['method']} /api${path} ${nameIn(row['access'])}`,
    ),
  );
  expect(documented.sort()).toEqual((await registered()).sort());
});
