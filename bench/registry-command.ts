import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { peakMbOf } from '#server/testing/peak-memory.ts';

const MAIN = path.resolve(import.meta.dirname, '../server/cli/main.ts');
const SAMPLE_MS = 50;

export interface CommandRun {
  readonly seconds: number;
  /** The peak memory of the process; null without /proc. */
  readonly peakMb: number | null;
  readonly output: string;
}

/**
 * Runs `curbside registry …` as a separate process. Kills it after `killAfter` lines of progress.
 */
export async function registryCommand(
  dataDir: string,
  args: readonly string[],
  killAfter = Number.POSITIVE_INFINITY,
): Promise<CommandRun> {
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN, 'registry', ...args], {
    env: { DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peakMb: number | null = null;
  const sampling = setInterval(() => {
    peakMb = peakMbOf(child.pid) ?? peakMb;
  }, SAMPLE_MS);
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line);
    if (lines.filter((one) => one.endsWith(' MB')).length === killAfter) child.kill('SIGKILL');
  });
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  clearInterval(sampling);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(lines.join('\n'));
  return { seconds: (performance.now() - began) / 1000, peakMb, output };
}
