import { analyse } from 'scslre';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { findPatterns, hostileTexts, patternsBuiltBy } from './patterns.ts';

const { literals, builders } = findPatterns();
/** The maximum length of a text field, and 4 times that. */
const SHORT = 5_000;
const LONG = 4 * SHORT;
/** Patterns that take less time at LONG need no second measurement. */
const SUSPICIOUS_MS = 8;

/** CPU time of this thread, which other programs do not affect; the best of several runs. */
function cost(run: () => unknown, times = 1): number {
  const each = Array.from({ length: times }, () => {
    const before = process.threadCpuUsage();
    run();
    return process.threadCpuUsage(before).user / 1000;
  });
  return Math.min(...each);
}

const matchAll = (pattern: RegExp, text: string) => {
  const everywhere = new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''));
  for (const _ of text.matchAll(everywhere));
};

/** Returns the first text for which 4 times the length takes much more than 4 times the time. */
function slowText(pattern: RegExp): string | null {
  const short = hostileTexts(pattern, SHORT);
  for (const long of hostileTexts(pattern, LONG)) {
    const { value: text = '' } = short.next() as { value?: string };
    if (cost(() => matchAll(pattern, long)) <= SUSPICIOUS_MS) continue;
    const allowed = 8 * cost(() => matchAll(pattern, text), 5) + SUSPICIOUS_MS;
    if (cost(() => matchAll(pattern, long), 5) > allowed) return text;
  }
  return null;
}

/** The analysis runs first, since what it finds may take forever to run. */
function faultsOf(pattern: RegExp): string[] {
  const found = analyse(pattern).reports.map(({ type }) => `${type} in ${pattern}`);
  if (found.length > 0) return found;
  return slowText(pattern) === null ? [] : [`${pattern} is slow`];
}

test.each([
  /\p{Ll}.*\p{Lu}/u,
  /(a|a)*b/,
  /[\w.]+@/,
  /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
  /lock file .* already exists/,
  /[\w.]+\s*[([]?\s*(?:\bat\b|@)\s*[)\]]?\s*gmail/gi,
])('the check finds %s', (pattern) => {
  expect(faultsOf(pattern)).not.toEqual([]);
});

const files = new Set(literals.map(({ file }) => file));
test.each([...files])('the patterns of %s take linear time', (file) => {
  const own = literals.filter((literal) => literal.file === file);
  expect(own.flatMap(({ pattern }) => faultsOf(pattern))).toEqual([]);
});

test.each([...builders])('the patterns that %s builds take linear time', async (file, places) => {
  // Another file may have loaded it already.
  vi.resetModules();
  const built = await patternsBuiltBy(file);
  expect(built.length, 'all are built as the module loads').toBeGreaterThanOrEqual(places);
  expect(built.flatMap(faultsOf)).toEqual([]);
});

test('the patterns that the contract takes from zod take linear time', () => {
  expect([z.regexes.email, z.regexes.uuid(4)].flatMap(faultsOf)).toEqual([]);
});
