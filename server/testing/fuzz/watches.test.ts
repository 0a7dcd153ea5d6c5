import { expect, test } from 'vitest';
import { LogWatch } from './log-watch.ts';
import { readAnswers } from './socket.ts';
import { TurnWatch } from './stalls.ts';

test('measures the turns of the event loop that compute for long', async () => {
  using turns = new TurnWatch();
  const start = process.threadCpuUsage();
  for (let usedMs = 0; usedMs < 50; ) {
    const { user, system } = process.threadCpuUsage(start);
    usedMs = (user + system) / 1000;
  }
  expect(turns.longest()).toBeGreaterThan(50);
  turns.reset();
  expect(turns.longest()).toBeLessThan(50);
});

test('parses several responses on one connection, including chunked ones', () => {
  const bytes = Buffer.from(
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi' +
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n' +
      'HTTP/1.1 204 No Content\r\n\r\n',
  );
  const bodies = readAnswers(bytes, []).map(({ status, body }) => [status, body]);
  expect(bodies).toEqual([
    [200, 'hi'],
    [200, 'abc'],
    [204, ''],
  ]);
});

test('finds canaries and secrets in the log, including encoded ones', () => {
  const log = new LogWatch();
  expect(log.leaks()).toEqual(['nothing was logged']);
  log.watchFor(['Secret-Token']);
  log.read('{"msg":"answered"}');
  expect(log.leaks()).toEqual([]);
  log.read('{"token":"secret-token"}');
  log.read(`{"sealed":"${Buffer.from('x-zqcanary-x').toString('base64')}"}`);
  expect(log.leaks()).toHaveLength(2);
});
