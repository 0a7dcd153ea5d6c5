import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, testWith } from '#server/testing/site.ts';

let port = 0;
const test = testWith();
test.beforeAll(async ({ site: { app } }) => {
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});

/** Sends raw bytes, and returns everything received until the server closes the connection. */
async function exchange(...lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(lines.join('\r\n'));
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  await once(socket, 'close');
  return received;
}

const statuses = (received: string) =>
  [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

const POST = ['POST /api/auth/login/ HTTP/1.1', 'Host: localhost', 'Connection: keep-alive'];
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

test.each([
  ['two lengths', ['Content-Length: 0', `Content-Length: ${HIDDEN.length}`]],
  ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
  ['chunks that are not last', ['Transfer-Encoding: chunked, identity']],
  ['an unknown encoding', ['Transfer-Encoding: xchunked']],
  ['a length that is not a number', [`Content-Length: +${HIDDEN.length}`]],
  ['a space before the colon', [`Content-Length : ${HIDDEN.length}`]],
])('does not find a request hidden in the body of another: %s', async (_, headers) => {
  expect(statuses(await exchange(...POST, ...headers, '', HIDDEN))).toEqual([400]);
});

test('does not echo a TRACE request', async () => {
  for (const path of ['/', '/api/employers/']) {
    const received = await exchange(
      `TRACE ${path} HTTP/1.1`,
      'Host: localhost',
      'Cookie: secret=canary',
      'Connection: close',
      '',
      '',
    );
    expect(statuses(received)[0]).toBeGreaterThan(399);
    expect(received).not.toContain('canary');
  }
});
