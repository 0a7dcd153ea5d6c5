import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app.ts';
import type { DatabaseNeeds } from '../context.ts';
import { runCommand } from '../run.ts';

interface Options {
  /** Standard input. */
  input?: string;
  /** Sends Ctrl-C once this text is printed. */
  stopAt?: string;
  /** Receives what the command requires of the database. */
  onNeeds?: (needs: DatabaseNeeds | undefined) => void;
}

/** Runs a command of some kind with these arguments. */
export type Run = (...args: string[]) => ReturnType<typeof curbside>;

/** Runs `curbside …` on a test's database. */
export async function curbside(
  { deps }: Pick<TestApp, 'deps'>,
  args: string[],
  { input = '', stopAt, onNeeds }: Options = {},
): Promise<{ code: 0 | 1; output: string; errors: string }> {
  const output = new PassThrough();
  const errors = new PassThrough();
  const terminal = { input: Readable.from([input]), output, errors };
  const stop = new AbortController();
  errors.on('data', (chunk) => {
    if (stopAt !== undefined && String(chunk).includes(stopAt)) stop.abort();
  });
  const texts = Promise.all([text(output), text(errors)]);
  const code = await runCommand(args, terminal, (work, needs) => {
    onNeeds?.(needs);
    // As in production, commands have no time limit.
    const { background } = deps.database;
    const { signal } = stop;
    return work({ ...deps, database: background, db: background.db, terminal, signal });
  });
  output.end();
  errors.end();
  const [outputText, errorsText] = await texts;
  return { code, output: outputText, errors: errorsText };
}

/** Expects that a command fails and prints only this line. */
export async function expectRefusal(run: ReturnType<Run>, message: string) {
  expect(await run).toEqual({ code: 1, output: '', errors: `curbside: ${message}\n` });
}
