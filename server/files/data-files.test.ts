import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '#server/testing/folder.ts';
import { writeWholeFile } from './data-files.ts';

/** A process that writes the beginning of a file and then waits. */
async function startWriting(file: string) {
  const code = `
    const { writeWholeFile } = await import(${JSON.stringify(path.join(import.meta.dirname, 'data-files.ts'))});
    async function* forever() {
      yield Buffer.from('beginning');
      process.stdout.write('begun');
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    }
    await writeWholeFile(${JSON.stringify(file)}, forever());`;
  const writer = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void writer.kill('SIGKILL'));
  await once(writer.stdout, 'data');
  return {
    async kill() {
      const ended = once(writer, 'exit');
      writer.kill('SIGKILL');
      await ended;
    },
  };
}

test('a run removes what killed ones left, and nothing that another one is writing', async () => {
  const folder = newFolder();
  const killed = await startWriting(path.join(folder, 'killed'));
  const running = await startWriting(path.join(folder, 'running'));
  await killed.kill();
  expect(readdirSync(folder)).toHaveLength(2);
  // It may wait for the database for long.
  const [waiting = ''] = readdirSync(folder).filter((name) => name.startsWith('running.'));
  const before = new Date(Date.now() - 7_200_000);
  utimesSync(path.join(folder, waiting), before, before);
  await writeWholeFile(path.join(folder, 'whole'), [Buffer.from('all')]);
  const draft = expect.stringMatching(/^running\..+\.partial$/);
  expect(readdirSync(folder).toSorted()).toEqual([draft, 'whole']);
  await running.kill();
  await writeWholeFile(path.join(folder, 'whole'), [Buffer.from('all')]);
  expect(readdirSync(folder)).toEqual(['whole']);
});

test('what another machine left is removed once it is an hour old', async () => {
  const folder = newFolder();
  const name = (id: string) => path.join(folder, `all.elsewhere.1-${id}.partial`);
  writeFileSync(name('00000001'), '');
  writeFileSync(name('00000002'), '');
  const before = new Date(Date.now() - 7_200_000);
  utimesSync(name('00000001'), before, before);
  await writeWholeFile(path.join(folder, 'whole'), [Buffer.from('all')]);
  expect(readdirSync(folder)).toEqual(['all.elsewhere.1-00000002.partial', 'whole']);
});
