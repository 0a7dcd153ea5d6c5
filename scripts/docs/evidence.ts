import { existsSync } from 'node:fs';
import path from 'node:path';
import { type CallExpression, type Expression, parseSync } from '@swc/core';
import { ROOT, read } from './markdown.ts';

/** The titles of tests, by file. */
type Tests = Readonly<Record<string, readonly string[]>>;

/** The tests that show each promise of a document: `docs/evidence/NAME.json`. */
export function evidenceOf(name: string): Map<string, Tests> {
  return new Map(Object.entries(JSON.parse(read(`docs/evidence/${name}.json`))));
}

/** The tests that do not exist under their exact titles. */
export function missingAmong(evidence: ReadonlyMap<string, Tests>): string[] {
  const named = [...evidence.values()].flatMap((tests) => Object.entries(tests));
  return named.flatMap(([file, titles]) => {
    const known = existsSync(path.join(ROOT, file)) ? testTitlesOf(file) : [];
    return titles.filter((title) => !known.includes(title)).map((title) => `${file} › ${title}`);
  });
}

export const countOf = (evidence: ReadonlyMap<string, Tests>) =>
  [...evidence.values()].flatMap((tests) => Object.values(tests)).flat().length;

/**
 * The titles of a file's tests as in its source, each after the titles of its describe blocks:
 * `problem details › names every invalid field`. `%s` is kept; `${…}` stands for any expression.
 */
function testTitlesOf(file: string): string[] {
  return titlesIn(parseSync(read(file), { syntax: 'typescript', tsx: file.endsWith('x') }), []);
}

function titlesIn(node: unknown, around: readonly string[]): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => titlesIn(one, around));
  if (typeof node !== 'object' || node === null) return [];
  const block = titleOf(node as CallExpression);
  if (block?.isTest) return [[...around, block.title].join(' › ')];
  const within = block ? [...around, block.title] : around;
  return Object.values(node).flatMap((child) => titlesIn(child, within));
}

/** `test('…')`, `test.for(…)('…')`, `test.describe('…')`; null for any other code. */
function titleOf(node: CallExpression) {
  if (node.type !== 'CallExpression') return null;
  const callee = calleeOf(node.callee as Expression);
  const title = textOf(node.arguments[0]?.expression);
  if (callee === null || title === null) return null;
  if (/^(?:test[.])?describe(?:[.]|$)/.test(callee)) return { title, isTest: false };
  return /^test(?:Apart)?(?:[.](?:each|for))?$/.test(callee) ? { title, isTest: true } : null;
}

/** `test.each` for `test.each([…])`. */
function calleeOf(callee: Expression): string | null {
  if (callee.type === 'Identifier') return callee.value;
  if (callee.type === 'CallExpression') return calleeOf(callee.callee as Expression);
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null;
  const object = calleeOf(callee.object);
  return object && `${object}.${callee.property.value}`;
}

function textOf(node: Expression | undefined): string | null {
  if (node?.type === 'StringLiteral') return node.value;
  if (node?.type !== 'TemplateLiteral') return null;
  return node.quasis.map(({ cooked, raw }) => cooked ?? raw).join(`\${…}`);
}
