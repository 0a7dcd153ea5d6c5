import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read, referencesOf } from './markdown.ts';

/** Words that point to a document or folder outside the repository. */
const OUTSIDE = [
  /\bthe specification\b/i,
  /\(specification\b/i,
  /\bspecification, sections?\b/i,
  /\bspecification['’]s\b/i,
  /\b(?:as|the) specified (?:order|text|client|API)\b/i,
  /\bDESIGN\b/,
  /\bdesign doc(?:ument)?\b/i,
  /\b(?:SPEC|DESIGN|STYLE)\.md\b/,
  /\.\.\/shared\b/,
  /\bshared\/data\b/,
];
/** `docs/product.md, "Constants"`. */
const SECTION = /\b(docs\/[\w/-]+\.md), "([^"]+)"/g;

/** Every file's text, with each comment and paragraph on one line. */
const FILES = globSync(
  [
    '*',
    '.ci/*',
    '{bench,contract,docs,e2e,scripts,server,web}/**/*.{ts,tsx,mjs,json,md,sql,css,txt}',
  ],
  { cwd: ROOT, withFileTypes: true },
)
  .filter((entry) => entry.isFile() && entry.name !== 'package-lock.json')
  .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
  .filter((file) => !file.endsWith('/outside-references.test.ts'))
  .map((file) => ({ file, text: read(file).replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ') }));

test.each([
  'the order of the specification, section 5',
  'Specification, section 2: a link',
  'what DESIGN requires',
  'see ../shared/data',
])('rejects "%s"', (text) => {
  expect(OUTSIDE.some((pattern) => pattern.test(text))).toBe(true);
});

test('nothing refers to a document outside the repository', () => {
  expect(FILES.length).toBeGreaterThan(500);
  const found = FILES.flatMap(({ file, text }) =>
    OUTSIDE.flatMap((pattern) => pattern.exec(text)?.[0] ?? []).map((words) => `${file}: ${words}`),
  );
  expect(found).toEqual([]);
});

test('every referenced section exists', () => {
  const references = FILES.flatMap(({ file, text }) =>
    [...text.matchAll(SECTION)].map(([, document = '', heading = '']) => ({
      file,
      document,
      heading,
    })),
  );
  const documents = [...new Set(references.map(({ document }) => document))];
  const headings = new Map(
    documents
      .filter((document) => existsSync(path.join(ROOT, document)))
      .map((document) => [document, referencesOf(document).headings]),
  );
  const broken = references.filter(
    ({ document, heading }) => !headings.get(document)?.includes(heading),
  );
  expect(broken).toEqual([]);
});
