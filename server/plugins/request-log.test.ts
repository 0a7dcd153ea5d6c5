import fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { logLines } from './request-log.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const LONG_AGO_MS = 1000;

/** A log whose writes to standard output take this long, and what has been written. */
function slowLog(ms: number) {
  const written: string[] = [];
  const write = (_fd: number, bytes: Buffer, done: (error: null, length: number) => void) => {
    written.push(String(bytes));
    setTimeout(done, ms, null, bytes.length);
  };
  vi.spyOn(fs, 'write').mockImplementation(write as never);
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  return { log: logLines(), written };
}

test('the log is written soon after a line, and never while there is none', () => {
  const { log, written } = slowLog(1);
  vi.advanceTimersByTime(LONG_AGO_MS);
  expect(written).toEqual([]);
  log.write('one\n');
  log.write('two\n');
  vi.advanceTimersByTime(LONG_AGO_MS);
  log.write('three\n');
  vi.advanceTimersByTime(LONG_AGO_MS);
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

test('a line that comes during a slow write is written after it', () => {
  const { log, written } = slowLog(LONG_AGO_MS);
  log.write('one\n');
  vi.advanceTimersByTime(LONG_AGO_MS / 2);
  log.write('two\n');
  vi.advanceTimersByTime(LONG_AGO_MS);
  expect(written).toEqual(['one\n', 'two\n']);
});
