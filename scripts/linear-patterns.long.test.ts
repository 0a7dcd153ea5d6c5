import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isLinear } from '#contract/testing/linear-time.ts';
import { findPatterns, hostileTexts, patternsBuiltBy } from './patterns.ts';

const { literals, builders } = findPatterns();
/** The maximum length of a text field, and 4 times that. */
const SHORT = 5_000;
const LONG = 4 * SHORT;
const SLACK_MS = 8;

/** Returns the first text for which 4 times the length takes much more than 4 times the time. */
function slowText(pattern: RegExp): string | null {
  const everywhere = new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''));
  // Finds all matches, faster than a loop over them.
  const match = (text: string) => () => text.replace(everywhere, '');
  for (const text of hostileTexts(pattern)) {
    // Few texts are slow enough for a comparison.
    let short = () => {
      short = match(text(SHORT));
      short();
    };
    if (!isLinear({ short: () => short(), long: match(text(LONG)), slackMs: SLACK_MS }))
      return text(SHORT);
  }
  return null;
}

/** Analyzes the pattern first, because running a bad one may take forever. */
function findFaults(pattern: RegExp): string[] {
  // Without a repetition, each match ends after a few characters.
  if (!/[*+{]/.test(pattern.source)) return [];
  const found = analyse(pattern).reports.map(({ type }) => `${type} in ${pattern}`);
  if (found.length > 0) return found;
  return slowText(pattern) === null ? [] : [`${pattern} is slow`];
}

/** Many files have the same patterns. */
const known = new Map<string, string[]>();
function faultsOf(pattern: RegExp): string[] {
  const faults = known.get(`${pattern}`) ?? findFaults(pattern);
  known.set(`${pattern}`, faults);
  return faults;
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
  const built = await patternsBuiltBy(file);
  expect(built.length, 'all are built as the module loads').toBeGreaterThanOrEqual(places);
  expect(built.flatMap(faultsOf)).toEqual([]);
});

test('the zod patterns that the contract uses take linear time', () => {
  expect([z.regexes.email, z.regexes.uuid(4)].flatMap(faultsOf)).toEqual([]);
});
