import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withLock } from './lock.ts';
import { processIdentity } from './processes.ts';
import { temporaryFolder } from './testing/fixtures.ts';

const newLock = () => join(temporaryFolder(), 'lock');
const NO_PROCESS = 2 ** 22 + 1;

test('admits one at a time, and the next one when it has finished or failed', async () => {
  const lock = newLock();
  let inside = 0;
  const visit = async (n: number) => {
    inside += 1;
    await sleep(2);
    expect(inside).toBe(1);
    inside -= 1;
    if (n % 3 === 0) throw new Error('failed inside');
  };
  const visits = Array.from({ length: 12 }, (_, n) => withLock(lock, 5000, () => visit(n)));
  const results = await Promise.allSettled(visits);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(existsSync(lock)).toBe(false);
});

test('takes over from a process that is dead or whose id was reused', async () => {
  const lock = newLock();
  for (const holder of [`${NO_PROCESS} identity token`, `${process.pid} another-start token`]) {
    writeFileSync(lock, holder);
    expect(await withLock(lock, 0, async () => 'done')).toBe('done');
  }
});

test('takes over a lock whose content was never written, after a delay', async () => {
  const lock = newLock();
  writeFileSync(lock, '');
  const soon = Date.now() / 1000 + 60;
  utimesSync(lock, soon, soon);
  await expect(withLock(lock, 0, async () => 'done')).rejects.toThrow('too long');
  utimesSync(lock, 0, 0);
  expect(await withLock(lock, 0, async () => 'done')).toBe('done');
});

test('waits for a live process up to a limit, then names it and the file', async () => {
  const lock = newLock();
  const holder = `${process.ppid} ${processIdentity(process.ppid)} token`;
  writeFileSync(lock, holder);
  await expect(withLock(lock, 60, async () => 'done')).rejects.toThrow(
    `Another start (process ${process.ppid}) has held ${lock} for too long`,
  );
  expect(readFileSync(lock, 'utf8')).toBe(holder);
});

test("only one removes a dead process's lock, however many try", async () => {
  const lock = newLock();
  writeFileSync(lock, `${NO_PROCESS} identity token`);
  writeFileSync(`${lock}.takeover`, '');
  await expect(withLock(lock, 60, async () => 'done')).rejects.toThrow('too long');
});
