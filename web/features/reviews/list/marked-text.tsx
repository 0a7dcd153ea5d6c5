import type { ReactNode } from 'react';

/** A text in which these words and phrases are marked. */
export const markedText = (text: string, words: readonly string[]): ReactNode =>
  words.length === 0
    ? text
    : partsOf(text, words).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text keeps its parts
          <mark key={at} className="bg-accent-wash text-ink">
            {part}
          </mark>
        ),
      );

/**
 * The parts of a text; every second one is one of the words or phrases. Like the database, it ignores
 * case, and what is between the words of a phrase.
 */
export function partsOf(text: string, words: readonly string[]): string[] {
  const phrases = words.map((phrase) => phrase.split(' '));
  // Every second one is a word.
  const told = text.split(/([\p{L}\p{N}]+)/u);
  const parts = [''];
  for (let at = 0; at < told.length; at += 1) {
    const found = phrases.find((phrase) =>
      phrase.every((word, nth) => word === told[at + 2 * nth]?.toLowerCase()),
    );
    const length = found ? 2 * found.length - 1 : 1;
    const part = told.slice(at, at + length).join('');
    if (found) parts.push(part, '');
    else parts.push(parts.pop() + part);
    at += length - 1;
  }
  return parts;
}
