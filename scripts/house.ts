/** Counts how large and how entangled the code is (`npm run house`). */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './docs/markdown.ts';

export interface Count {
  readonly what: string;
  readonly now: number;
  /** The goal. */
  readonly atMost?: number;
}

export const isReached = ({ now, atMost = -1 }: Count) => now <= atMost;

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([#.][^']+)'/g;
const isTest = (file: string) => /[.]test[.]|(^|\/)testing\/|^e2e\//.test(file);
const isCode = (file: string) => !isTest(file) && !/\/fixtures\//.test(file);

const find = (...patterns: string[]) => globSync(patterns, { cwd: ROOT });
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const sum = (files: readonly string[], measure: (text: string) => number) =>
  files.reduce((total, file) => total + measure(read(file)), 0);
const lines = (text: string) => text.split('\n').length - 1;
const words = (text: string) => text.match(/\S+/g)?.length ?? 0;

export function count(): Count[] {
  const code = find('{server,web,contract}/**/*.{ts,tsx,sql}').filter(isCode);
  const modules = code.filter((file) => !file.endsWith('.sql'));
  const imports = new Map(modules.map((file) => [file, importsOf(file, new Set(modules))]));
  const importers = new Map<string, number>();
  for (const target of [...imports.values()].flat()) {
    importers.set(target, (importers.get(target) ?? 0) + 1);
  }
  const tests = find('{server,web,contract,scripts,bench,e2e}/**/*.{ts,tsx}').filter(isTest);
  const tools = find('{scripts,bench}/**/*.{ts,js}').filter((file) => !isTest(file));
  // Every hospital findable, the second reading of every journey, and the office's second shift raised
  // lines of code by 8,000, files by 65, lines of tests by 7,000, and words by 2,800.
  return [
    { what: 'lines of code', now: sum(code, lines), atMost: 56_000 },
    { what: 'files of code', now: modules.length, atMost: 515 },
    {
      what: 'files that one other file imports',
      now: [...importers.values()].filter((number) => number === 1).length,
    },
    { what: 'lines of tests', now: sum(tests, lines), atMost: 50_000 },
    { what: 'lines of scripts and benchmarks', now: sum(tools, lines), atMost: 3000 },
    {
      what: 'words of documents',
      now: sum(find('*.md', '{docs,ops,web,server}/**/*.md'), words),
      atMost: 37_800,
    },
    {
      what: 'folders and loose files in a circle of imports',
      now: inCircles(imports).length,
      atMost: 0,
    },
  ];
}

/** The modules that a file imports, each once. */
function importsOf(file: string, modules: ReadonlySet<string>): string[] {
  const targets = [...read(file).matchAll(IMPORT)].map(([, name = '']) =>
    name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name),
  );
  return [...new Set(targets)].filter((target) => modules.has(target));
}

/** A child of a feature or of a top folder: a folder, or a loose file. */
function folderOf(file: string): string {
  const [, folder = file] = /^((?:\w+\/features\/[\w-]+|\w+)\/[^/]+)/.exec(file) ?? [];
  return folder;
}

/** The folders that reach themselves through the imports of others. */
export function inCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const next = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const from = folderOf(file);
    const reached = next.get(from) ?? new Set();
    next.set(from, reached);
    for (const to of targets.map(folderOf)) if (to !== from) reached.add(to);
  }
  return [...next.keys()].filter((start) => {
    const seen = new Set<string>();
    const open = [...(next.get(start) ?? [])];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(next.get(at) ?? []));
    }
    return seen.has(start);
  });
}

if (import.meta.main) {
  console.table(count().map((one) => ({ ...one, reached: isReached(one) })));
}
