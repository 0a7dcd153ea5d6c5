/**
 * Replaces what could move the cursor, forge a line, or reorder text on the terminal: names and files
 * come from strangers.
 */
export const printable = (line: string): string =>
  line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

/** The same for text whose line breaks are ours. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
