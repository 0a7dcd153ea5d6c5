import type { RouteOptions } from 'fastify';
import { expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from '#contract/endpoints/feedback.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { positionTitleEndpoints } from '#contract/endpoints/position-titles.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { buildApp, createApp } from '#server/app.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { codeIn, tableUnder } from './markdown.ts';

const DECLARED = [
  accountEndpoints,
  castVoteEndpoints,
  employerEndpoints,
  feedbackEndpoints,
  moderationEndpoints,
  positionTitleEndpoints,
  reviewEndpoints,
  sessionEndpoints,
  takeVoteBackEndpoints,
  verificationEndpoints,
].flatMap((endpoints) => Object.values<Endpoint>(endpoints));

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

test('the server has a route for every endpoint in the contract, and no others', async () => {
  const declared = DECLARED.map(({ method, path, access }) => `${method} /api${path} ${access}`);
  expect((await registered()).sort()).toEqual(declared.sort());
});

test('docs/api.md lists every endpoint with its access, and no others', async () => {
  const documented = tableUnder('docs/api.md', 'Endpoints').flatMap(({ method = '', ...row }) => {
    const [path] = codeIn(row['path'] ?? '');
    const [access] = codeIn(row['access'] ?? '');
    return method.split(', ').map((one) => `${one} ${path} ${access}`);
  });
  expect(documented.sort()).toEqual((await registered()).sort());
});
