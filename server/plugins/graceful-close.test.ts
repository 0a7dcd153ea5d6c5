import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { gracefulClose } from './graceful-close.ts';

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
  return { app, open, slow, asked: asked.promise };
}

test('keeps serving while it drains, and closes each connection with its next response', async () => {
  const { app, open } = await setup();
  const kept = await open();
  const stopped = app.stop(500);
  kept.write('GET /inner HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const late = await open('GET /inner HTTP/1.1\r\nHost: localhost\r\n\r\n');
  for (const socket of [kept, late]) {
    const answer = (await socket.toArray()).join('');
    expect(answer).toContain('finished');
    expect(answer.toLowerCase()).toContain('connection: close');
  }
  expect(app.server.listening).toBe(true);
  await stopped;
  expect(app.server.listening).toBe(false);
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
