import { OperatorError } from './operator-error.ts';

const REASONS = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EACCES', 'it may not be read by this user'],
  ['EPERM', 'it may not be read by this user'],
]);

/** An error of the file system as one line for the person at the terminal; others as they are. */
export function explainFileError(path: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new OperatorError(`${path}: ${REASONS.get(code ?? '') ?? message}`);
}
