import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fuzzer, type Idea, idea } from './fuzzer.ts';
import type { Outcome } from './invariants.ts';
import { LogWatch } from './log-watch.ts';
import { STALL_MS } from './settings.ts';
import { readAnswers } from './socket.ts';

const HEADERS = {
  'content-security-policy': 'x',
  'cache-control': 'x',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};

/** A server that responds to texts as `statusOf` and `stalls` say. */
function serverOf(answer: (text: string) => number): Idea {
  return idea<string>({
    name: 'texts',
    share: 1,
    length: 1,
    arbitrary: fc.string({ maxLength: 40 }),
    show: (text) => JSON.stringify(text),
    async play(text): Promise<Outcome[]> {
      const status = answer(text);
      const about = {
        role: 'signed-out',
        method: 'GET',
        requestId: undefined,
        match: null,
      } as const;
      return [{ ...about, route: 'GET /', answer: { status, headers: HEADERS, body: '' } }];
    },
  });
}

test('continues after a failure, counts it, and shrinks it', async () => {
  using fuzzer = new Fuzzer();
  const server = serverOf((text) => (text.length > 5 ? 500 : 200));
  await fuzzer.play(server, 300, 1);
  await fuzzer.shrink([server]);
  expect(fuzzer.report.requests).toBe(300);
  const failures = fuzzer.report.failures('failure');
  expect(failures).toHaveLength(1);
  const found = /^GET \/: 500 \(\d{2,} times\)\n {2}found by "texts", seed 1, path \d/;
  expect(failures[0]).toMatch(found);
  const example = failures[0]?.split('\n').at(-1) ?? '';
  expect(JSON.parse(example)).toHaveLength(6);
});

test('finds exactly the requests that compute for too long', async () => {
  const until = (ms: number) => {
    const start = process.threadCpuUsage();
    let used = 0;
    while (used < ms) {
      const { user, system } = process.threadCpuUsage(start);
      used = (user + system) / 1000;
    }
  };
  using fuzzer = new Fuzzer();
  const server = serverOf((text) => {
    if (text.startsWith('a')) until(STALL_MS + 20);
    return 200;
  });
  await fuzzer.play({ ...server, arbitrary: fc.constantFrom('a', 'b', 'c') }, 2, 2);
  const [stall = '', ...others] = fuzzer.report.failures('stall');
  expect(stall.split('\n').at(-1)).toBe('"a"');
  expect(others).toEqual([]);
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
