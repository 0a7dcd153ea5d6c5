import fastify from 'fastify';
import { describe, expect } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { accessPolicy } from '#server/plugins/access.ts';
import { test } from '#server/testing/site.ts';

test('does not boot with a route that declares no access policy', async () => {
  const app = fastify();
  accessPolicy(
    app,
    async () => null,
    async () => {},
  );
  app.get('/thoughtless', async () => 'hello');
  const fault = 'routes without an access policy: GET /thoughtless, HEAD /thoughtless';
  await expect(async () => app.ready()).rejects.toThrow(fault);
});

describe('problem details', () => {
  test('an unknown path under /api returns 404 with the text of `not_found`', async ({ site }) => {
    const answer = await site.app.inject('/api/nothing/');
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toEqual({
      type: 'about:blank',
      title: ERRORS.not_found.text,
      status: 404,
      code: 'not_found',
      detail: 'The requested resource was not found.',
      message: 'The requested resource was not found.',
      request_id: answer.headers['x-request-id'],
    });
  });

  test('names every invalid field, including unknown ones', async ({ site }) => {
    const answer = await site.app.inject('/api/employers/?page=0&state=TX&color=red');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'validation_error',
      detail: 'Page must be a whole number from 1 to 1000000',
      errors: {
        page: ['Page must be a whole number from 1 to 1000000'],
        color: ['Unknown field'],
      },
    });
  });

  test.for([
    ['broken JSON', 'application/json', '{"email":', 400, 'malformed_request'],
    ['of another type', 'text/xml', '<a/>', 415, 'unsupported_media_type'],
    ['too large', 'application/json', JSON.stringify('x'.repeat(70_000)), 413, 'payload_too_large'],
  ] as const)('rejects a body that is %s', async ([, type, payload, status, code], { site }) => {
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/auth/login/',
      headers: { 'content-type': type },
      payload,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ code });
  });

  test('of another type, compressed, or not in UTF-8: says what the route takes', async ({
    site,
  }) => {
    const { headers } = await site.admin(['owner']);
    const [json, file] = ['Please send JSON in UTF-8', 'Please send a file'];
    const upload = '/api/admin/legal-demands/00000000-0000-4000-8000-000000000000/document/';
    for (const [url, type, encoding, said] of [
      ['/api/auth/login/', 'text/xml', 'identity', `${json}, uncompressed.`],
      ['/api/auth/login/', 'application/json', 'gzip', `${json}, uncompressed.`],
      [
        '/api/auth/login/',
        'application/json; charset=utf-16',
        'identity',
        `${json}, uncompressed.`,
      ],
      [upload, 'application/pdf', 'identity', `${file} as application/octet-stream, uncompressed.`],
      [
        upload,
        'application/octet-stream',
        'gzip',
        `${file} as application/octet-stream, uncompressed.`,
      ],
    ] as const) {
      const sent = { ...headers, 'content-type': type, 'content-encoding': encoding };
      const answer = await site.app.inject({ method: 'POST', url, headers: sent, payload: '{}' });
      expect([type, answer.statusCode, answer.json().detail]).toEqual([type, 415, said]);
    }
  });
});

describe('access', () => {
  test.for([
    ['nobody', 401],
    ['unverified', 403],
    ['readonly', 200],
  ] as const)('own reviews for %s: %i', async ([who, status], { site }) => {
    const account =
      who === 'nobody' ? { headers: {} } : await site.doctor({ verified: who === 'readonly' });
    const { headers } = account;
    const answer = await site.app.inject({ url: '/api/reviews/my_reviews/', headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['cache-control']).toBe('no-store, no-transform');
  });
});

describe('paths', () => {
  test('works without the trailing slash', async ({ site }) => {
    expect((await site.app.inject('/api/employers')).statusCode).toBe(200);
  });
  test("returns the caller's request id", async ({ site }) => {
    const id = 'b1946ac9-2492-4d23-8b4e-000000000000';
    const answer = await site.app.inject({ url: '/healthz', headers: { 'x-request-id': id } });
    expect(answer.headers['x-request-id']).toBe(id);
  });
  test('replaces an invalid request id', async ({ site }) => {
    const headers = { 'x-request-id': 'a b\tc"}' };
    const answer = await site.app.inject({ url: '/healthz', headers });
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });
});

test('reports that it is live and ready', async ({ site }) => {
  expect((await site.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await site.app.inject('/readyz')).json()).toEqual({ status: 'ok' });
});

test('documents every API route, as OpenAPI 3.1', async ({ site }) => {
  const answer = await site.app.inject('/api/docs/json');
  const document = answer.json<{ openapi: string; paths: Record<string, object> }>();
  expect(document.paths['/api/reviews/']).toMatchObject({
    get: { operationId: 'reviews.list', tags: ['reviews'] },
  });
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/api/reviews/', '/api/employers/{id}/', '/api/auth/login/']),
  );
  expect((await site.app.inject('/api/docs/')).statusCode).toBe(200);
});
