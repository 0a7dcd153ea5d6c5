/** An error that the operator can fix. The terminal shows its message without a stack trace. */
export class OperatorError extends Error {}

const FILE_ERRORS = new Map([
  ['ENOENT', 'file not found'],
  ['ENOTDIR', 'file not found'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
]);

/** Turns a file system error into a one-line OperatorError; returns other errors unchanged. */
export function explainFileError(path: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new OperatorError(`${path}: ${FILE_ERRORS.get(code ?? '') ?? message}`);
}

/**
 * Replaces what could move the cursor, forge a line, or reorder text on the terminal: names and files
 * come from strangers.
 */
export const printable = (line: string): string =>
  line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

/** The same for text whose line breaks are ours. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
