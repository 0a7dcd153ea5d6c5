import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { analyse } from 'scslre';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isLinear } from '#contract/testing/linear-time.ts';
import { ROOT } from './docs/markdown.ts';

const SOURCES = '{contract,server,web}/**/*.{ts,tsx}';
/** Test code does not read user input. */
const TESTING = /\.test\.tsx?$|\/testing(?:\.ts$|\/)|-fakes\.ts$/;

interface Patterns {
  /** Regular expression literals with their files. */
  readonly literals: readonly { readonly file: string; readonly pattern: RegExp }[];
  /** Files that build patterns with `RegExp` -> in how many places. */
  readonly builders: ReadonlyMap<string, number>;
}

/** Finds every regular expression in the product's sources by parsing them. */
function findPatterns(): Patterns {
  const literals: { file: string; pattern: RegExp }[] = [];
  const builders = new Map<string, number>();
  for (const file of globSync(SOURCES, { cwd: ROOT })) {
    if (TESTING.test(file)) continue;
    const { program, errors } = parseSync(file, readFileSync(path.join(ROOT, file), 'utf8'));
    if (errors.length > 0) throw new Error(`${file} cannot be parsed`);
    const noteBuilder = ({ callee }: ESTree.NewExpression | ESTree.CallExpression) => {
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
      builders.set(file, (builders.get(file) ?? 0) + 1);
    };
    new Visitor({
      Literal(node) {
        if (!('regex' in node)) return;
        const { pattern, flags } = node.regex;
        literals.push({ file, pattern: new RegExp(pattern, flags) });
      },
      NewExpression: noteBuilder,
      CallExpression: noteBuilder,
    }).visit(program);
  }
  return { literals, builders };
}

/**
 * Patterns that a module builds while it loads. This misses patterns built later, so the caller
 * compares the count with `builders`.
 */
async function patternsBuiltBy(file: string): Promise<RegExp[]> {
  const built: RegExp[] = [];
  const Original = globalThis.RegExp;
  const record = (pattern: RegExp) => {
    if (new Error().stack?.includes(`/${file}?patterns:`)) built.push(pattern);
    return pattern;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args: [string, string?]) => record(new target(...args)),
    apply: (target, _this, args: [string, string?]) => record(target(...args)),
  });
  try {
    // A copy of its own, because another test file may already have loaded the module.
    await import(/* @vite-ignore */ `${path.join(ROOT, file)}?patterns`);
  } finally {
    globalThis.RegExp = Original;
  }
  return built;
}

const MAX_PIECES = 40;
/** Characters from the classes that patterns use. */
const CHARACTERS = [...'aAé1 .,-@(/\n"\'=;:'];

/**
 * Texts that are likely slow to match, by length: the pattern's own words and common characters,
 * repeated alone and in pairs, followed by something that never matches.
 */
function* hostileTexts(pattern: RegExp): Generator<(length: number) => string> {
  const words = pattern.source.replace(/\\./g, ' ').match(/[a-z<][a-z ]+/gi) ?? [];
  const pieces = [...new Set([...CHARACTERS, ...words])].slice(0, MAX_PIECES);
  const fill = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length));
  for (const a of pieces) {
    yield (length) => `${fill(a, length)}\0`;
    for (const b of pieces) {
      if (a === b) continue;
      yield (length) => `${fill(a + b, length)}\0`;
      yield (length) => `${fill(a, length / 3)}${fill(b, length / 1.5)}\0`;
    }
  }
}

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
