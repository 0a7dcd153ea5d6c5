import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..');
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
export function findPatterns(): Patterns {
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
export async function patternsBuiltBy(file: string): Promise<RegExp[]> {
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

/** Characters from the classes that patterns use. */
const CHARACTERS = [...'aAé1 .,-@(/\n"\'=;:'];

/**
 * Texts that are likely slow to match, by length: the pattern's own words and common characters,
 * repeated alone and in pairs, followed by something that never matches.
 */
export function* hostileTexts(pattern: RegExp): Generator<(length: number) => string> {
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
const MAX_PIECES = 40;
