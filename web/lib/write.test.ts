import { expect, test } from 'vitest';
import { ApiError } from './transport-error.ts';
import { pageWrites } from './write.ts';

const notFound = new ApiError({ status: 404, retryAfter: null, body: null });
const offline = new ApiError(null);

const fail = (error: Error) => () => Promise.reject(error);

const { clientAction } = pageWrites({
  double: async (count: number) => count * 2,
  miss: fail(notFound),
  disconnect: fail(offline),
  crash: fail(new TypeError('x is not a function')),
});

function run(name: string, input?: unknown) {
  const body = JSON.stringify({ name, input });
  const request = new Request('https://curbside.example/', { method: 'POST', body });
  return clientAction({ request } as Parameters<typeof clientAction>[0]);
}

test('runs the write with this name', async () => {
  expect(await run('double', 21)).toEqual({ ok: 42 });
});

test('returns an API error as an outcome with its status', async () => {
  expect(await run('miss')).toMatchObject({ data: { error: notFound }, init: { status: 404 } });
  const unavailable = { data: { error: offline }, init: { status: 503 } };
  expect(await run('disconnect')).toMatchObject(unavailable);
});

test('throws any other error', async () => {
  await expect(run('crash')).rejects.toThrow(TypeError);
});
