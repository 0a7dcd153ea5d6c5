import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OperatorError } from '#server/errors/operator-error.ts';
import { printable } from '#server/errors/printable.ts';

/** A command's streams: those of the process or of a test. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  /** For the result. */
  readonly output: Writable;
  /** For everything else: progress, skipped rows, errors. */
  readonly errors: Writable & { readonly isTTY?: boolean };
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
