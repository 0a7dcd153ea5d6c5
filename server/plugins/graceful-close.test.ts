import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
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
    return 'finished';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  /** Connects, sends a text, and waits until the server has read it. */
  const open = async (text = '') => {
    const accepted = once(app.server, 'connection');
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    const [received] = (await accepted) as [Socket];
    if (text) socket.write(text);
    await expect.poll(() => received.bytesRead).toBe(text.length);
    return socket;
  };
  return { app, open, slow, asked: asked.promise };
}

test('closes connections that have sent nothing, and does not wait for them', async () => {
  const { app, open } = await setup();
  const socket = await open();
  await Promise.all([app.close(), once(socket, 'close')]);
});

test('finishes a request, and closes its connection', async () => {
  const { app, open, slow, asked } = await setup();
  const socket = await open('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const received = socket.toArray();
  await asked;
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  slow.resolve();
  await closed;
  const answer = (await received).join('');
  expect(answer).toContain('finished');
  expect(answer.toLowerCase()).toContain('connection: close');
});

test('gives up on half a request after a while', async () => {
  const { app, open } = await setup(50);
  const socket = await open('GET /slow HTTP/1.1\r\nHo');
  await Promise.all([app.close(), once(socket, 'close')]);
});
