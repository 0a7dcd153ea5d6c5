import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { testWith } from '#server/testing/site.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { limitConnections } from './load-shedding.ts';

let port: number;
const logged: string[] = [];
const test = testWith({ config: { logLevel: 'info' }, logTo: (line) => logged.push(line) });
test.beforeAll(async ({ site: { app } }) => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});

/** A second, and what a busy machine adds, but long before an idle connection would end. */
const SOON = { timeout: TIME_OUTS.request.ms / 2 };

/** A client that never ends its side of the connection. */
async function open(request: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  // The server may reset what it refuses.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

const POST = 'POST /api/auth/login/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
const XML = POST.replace('json', 'xml');

test.for([
  ['that is not HTTP', 'HELLO\r\n\r\n', 400],
  ['with too large a body, which it never sends', `${POST}Content-Length: 900000\r\n\r\n{`, 413],
  ['with another type, and no body', `${XML}Content-Length: 9\r\n\r\n`, 415],
] as const)('%s is refused, and disconnected soon', async ([, request, status], { site }) => {
  const socket = await open(request);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain(`HTTP/1.1 ${status} `);
  await expect.poll(() => openConnections(site.app.server), SOON).toBe(0);
});

test.for([
  ['its headers', 'GET /healthz HTTP/1.1\r\nHost:'],
  ['its body', `${POST}Content-Length: 9\r\n\r\n{`],
] as const)('without %s in time, a request is refused and cut', async ([, request], { site }) => {
  const { server } = site.app;
  expect(server.headersTimeout).toBe(server.requestTimeout);
  Object.assign(server, { headersTimeout: 500, requestTimeout: 500 });
  onTestFinished(() => {
    Object.assign(server, {
      headersTimeout: TIME_OUTS.request.ms,
      requestTimeout: TIME_OUTS.request.ms,
    });
  });
  const socket = await open(request);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('HTTP/1.1 408 ');
  await expect.poll(() => openConnections(server), SOON).toBe(0);
});

test('a refused request whose body arrives late keeps its connection for the next ones', async () => {
  const body = ' '.repeat(9);
  const socket = await open(`${XML}Content-Length: 9\r\n\r\n`);
  expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 415 ');
  socket.write(body);
  // Longer than the server waits for the rest of a request.
  for (const began = performance.now(); performance.now() - began < 1500; ) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 200 ');
  }
  socket.destroy();
});

/** `process.report` says how many files a process may have open; 256 is a common limit. */
test('more idle connections than there are descriptors leave room for others', async () => {
  const server = createServer((_, response) => response.end('here'));
  limitConnections(server, 256);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close());
  const sockets = Array.from({ length: 260 }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  for (const socket of sockets) socket.on('error', () => {});
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here');
  expect(await openConnections(server)).toBeLessThanOrEqual(156);
});

const openConnections = (server: { getConnections(done: (e: unknown, n: number) => void): void }) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

test('hanging up within a body is a mistake of the client: it logs no error', async ({ site }) => {
  logged.length = 0;
  const received = once(site.app.server, 'request');
  const socket = await open(`${POST}Content-Length: 100\r\n\r\n{`);
  const [request] = (await received) as [IncomingMessage];
  socket.destroy();
  await new Promise((resolve) => request.once('close', resolve));
  expect(logged).toEqual([]);
});
