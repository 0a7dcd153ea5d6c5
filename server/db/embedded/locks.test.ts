import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { takeLease, withLock } from './locks.ts';
import { temporaryFolder } from './testing/fixtures.ts';

const newFile = () => join(temporaryFolder(), 'lock');

/** Another process that runs a function of this module until it is killed. */
async function inProcess(code: string) {
  const module = JSON.stringify(join(import.meta.dirname, 'locks.ts'));
  const script = `import { takeLease, withLock } from ${module};
    const done = () => { console.log('ready'); return new Promise((r) => setTimeout(r, 2 ** 30)); };
    ${code}`;
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('admits one at a time, and the next one when it has finished or failed', async () => {
  const file = newFile();
  let inside = 0;
  const visit = async (n: number) => {
    inside += 1;
    await turn();
    expect(inside).toBe(1);
    inside -= 1;
    if (n % 3 === 0) throw new Error('failed inside');
  };
  const visits = Array.from({ length: 12 }, (_, n) => withLock(file, 15_000, () => visit(n)));
  const results = await Promise.allSettled(visits);
  const failed = results.filter(({ status }) => status === 'rejected');
  expect(failed).toEqual(
    Array(4).fill(expect.objectContaining({ reason: Error('failed inside') })),
  );
});

test('waits for a live process up to a limit, then names it and the file; not for a killed one', async () => {
  const file = newFile();
  const holder = await inProcess(`await withLock(${JSON.stringify(file)}, 0, done);`);
  await expect(withLock(file, 60, async () => 'done')).rejects.toThrow(
    `Another start (process ${holder.pid}) has held ${file} for too long`,
  );
  await holder.kill();
  expect(await withLock(file, 0, async () => 'done')).toBe('done');
});

test('a use is the last one unless another process still uses it, or this one again', async () => {
  const file = newFile();
  const other = await inProcess(`takeLease(${JSON.stringify(file)}); await done();`);
  expect(takeLease(file).end()).toBe(false);
  await other.kill();
  const [first, second] = [takeLease(file), takeLease(file)];
  expect([first.end(), second.end(), second.end()]).toEqual([false, true, true]);
});
