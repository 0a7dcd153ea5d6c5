import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';
import { AppError } from '#server/errors/app-error.ts';
import { OperatorError, printable } from '#server/errors/operator-error.ts';

/** A command's streams: those of the process or of a test. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  /** For the result. */
  readonly output: Writable;
  /** For everything else: progress, skipped rows, errors. */
  readonly errors: Writable;
}

export function say({ output }: Terminal, line: string): void {
  output.write(`${printable(line)}\n`);
}

export function warn({ errors }: Terminal, line: string): void {
  errors.write(`${printable(line)}\n`);
}

/** Prompts for a new password twice without echo, or reads it from a pipe. */
export async function readNewPassword(terminal: Terminal): Promise<string> {
  const { input, errors } = terminal;
  if (!input.isTTY) return (await text(input)).replace(/\r?\n$/, '');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true });
  const stopped = new AbortController();
  lines.once('close', () => stopped.abort());
  const ask = async (question: string) => {
    errors.write(question);
    const answer = await lines.question('', { signal: stopped.signal });
    errors.write('\n');
    return answer;
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('Repeat password: ')) !== password)
      throw new OperatorError('Passwords must match.');
    return password;
  } catch (error) {
    if (stopped.signal.aborted) throw new OperatorError('no password was given');
    throw error;
  } finally {
    lines.close();
  }
}

/** Parses a text argument, which must not be empty. */
export function readText(given: string): string {
  const text = given.trim();
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Parses a value with a schema. @throws OperatorError with one line per problem */
export function parse<T extends z.core.$ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new OperatorError(parsed.error.issues.map(({ message }) => message).join('\n'));
}

/** Rethrows an API error as one line for the terminal. `what` names what was not found. */
export const explainFor =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    throw new OperatorError(code === 'not_found' ? `there is no such ${what}` : message);
  };

/** Prints a line at every 10% of the work. */
export function progressOf(
  terminal: Terminal,
  unit: string,
): (done: number, total: number) => void {
  let lastTenth = 0;
  return (done, total) => {
    const tenth = total > 0 ? Math.floor((done / total) * 10) : 0;
    if (tenth <= lastTenth) return;
    lastTenth = tenth;
    warn(terminal, `${done} of ${total} ${unit}`);
  };
}
