import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { connect, type Socket } from 'node:net';
import timers from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { gracefulClose } from '#server/http/create-app.ts';

async function setup(waitMs?: number) {
  const app = fastify();
  gracefulClose(app, waitMs);
  const slow = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    asked.resolve();
    await slow.promise;
    // Like a page, whose loaders call the API.
    return (await app.inject('/inner')).body;
  });
  app.get('/inner', async () => 'finished');
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  /** Connects, sends a text, and waits until the server has read it. */
  const open = async (text = '') => {
    const accepted = once(app.server, 'connection');
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    const [received] = (await accepted) as [Socket];
    if (text) socket.write(text);
    await expect.poll(() => received.bytesRead).toBe(text.length);
    return socket;
  };
  return { app, port: Number(port), open, slow, asked: asked.promise };
}

/** Begins to stop. The drain lasts until `end` is called, instead of for a time. */
function beginDrain(app: FastifyInstance) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const pause = vi.spyOn(timers, 'setTimeout').mockReturnValueOnce(promise as Promise<never>);
  syncBuiltinESMExports();
  const stopped = app.stop(3_600_000);
  pause.mockRestore();
  syncBuiltinESMExports();
  return { stopped, end };
}

test('keeps serving while it drains, and closes each connection with its next response', async () => {
  const { app, open } = await setup();
  const kept = await open();
  const { stopped, end } = beginDrain(app);
  kept.write('GET /inner HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const late = await open('GET /inner HTTP/1.1\r\nHost: localhost\r\n\r\n');
  for (const socket of [kept, late]) {
    const answer = (await socket.toArray()).join('');
    expect(answer).toContain('finished');
    expect(answer.toLowerCase()).toContain('connection: close');
  }
  expect(app.server.listening).toBe(true);
  end();
  await stopped;
  expect(app.server.listening).toBe(false);
});

const GET = 'GET /inner HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Blocks until the timers of `stop` are due, so that they run before anything is read. */
function block() {
  const start = performance.now();
  while (performance.now() - start < 10);
}

test.for<[what: string, begin: (server: Awaited<ReturnType<typeof setup>>) => Promise<Socket>]>([
  [
    'on a new connection',
    async ({ port }) => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      // Connects in the next tick.
      await Promise.resolve();
      return socket;
    },
  ],
  ['on a connection that has sent nothing', ({ open }) => open()],
  [
    'on a connection that was kept open',
    async ({ open }) => {
      const socket = await open(GET);
      await once(socket, 'data');
      return socket;
    },
  ],
])('answers a request that has arrived and is not read yet, %s', async ([, begin]) => {
  const server = await setup();
  const socket = await begin(server);
  onTestFinished(() => void socket.destroy());
  socket.write(GET);
  const stopped = server.app.stop(0);
  block();
  const answer = (await socket.toArray()).join('');
  expect(answer).toContain('finished');
  expect(answer.toLowerCase()).toContain('connection: close');
  await stopped;
});

test('does not drain before it listens', async () => {
  const app = fastify();
  gracefulClose(app);
  await app.stop(3_600_000);
});

test('closes connections that have sent nothing, and does not wait for them', async () => {
  const { app, open } = await setup();
  const socket = await open();
  await Promise.all([app.stop(0), once(socket, 'close')]);
});

test('finishes a request, and closes its connection', async () => {
  const { app, open, slow, asked } = await setup();
  const socket = await open('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const received = socket.toArray();
  await asked;
  const closed = app.stop(0);
  await expect.poll(() => app.server.listening).toBe(false);
  slow.resolve();
  await closed;
  const answer = (await received).join('');
  expect(answer).toContain('finished');
  expect(answer.toLowerCase()).toContain('connection: close');
});

test('gives up on an incomplete request after a while', async () => {
  const { app, open } = await setup(50);
  const socket = await open('GET /slow HTTP/1.1\r\nHo');
  await Promise.all([app.stop(0), once(socket, 'close')]);
});
