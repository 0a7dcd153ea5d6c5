import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read, referencesOf } from './markdown.ts';

/** Words that point to a document or folder outside the repository. */
const OUTSIDE = [
  /\(specification\b|\b(?:the specification\b|specification(?:, sections?\b|['’]s\b))/i,
  /\b(?:as|the) specified (?:order|text|client|API)\b|\bdesign doc(?:ument)?\b/i,
  /\bDESIGN\b|\b(?:SPEC|DESIGN|STYLE)\.md\b|\.\.\/shared\b|\bshared\/data\b/,
];
/** `docs/product.md, "Constants"`. */
const SECTION = /\b(docs\/[\w/-]+\.md), "([^"]+)"/g;

/** Every file's text, with each comment and paragraph on one line. */
const FOLDERS = '{bench,contract,docs,e2e,scripts,server,web}';
const PLACES = ['*', '.ci/*', `${FOLDERS}/**/*.{ts,tsx,mjs,json,md,sql,css,txt}`];
const FILES = globSync(PLACES, { cwd: ROOT, withFileTypes: true })
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
  const headingsOf = new Map<string, readonly string[]>();
  const hasHeading = (document: string, heading: string) => {
    const isThere = existsSync(path.join(ROOT, document));
    const headings = headingsOf.get(document) ?? (isThere ? referencesOf(document).headings : []);
    headingsOf.set(document, headings);
    return headings.includes(heading);
  };
  const broken = FILES.flatMap(({ file, text }) => {
    const found = [...text.matchAll(SECTION)];
    const missing = found.filter(([, document = '', name = '']) => !hasHeading(document, name));
    return missing.map(([reference]) => `${file}: ${reference}`);
  });
  expect(broken).toEqual([]);
});
