import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type CallExpression, type Expression, parseSync } from '@swc/core';
import { ROOT } from './markdown.ts';

/**
 * The titles of a file's tests as in its source, each after the titles of its describe blocks:
 * `problem details › names every invalid field`. `%s` is kept; `${…}` stands for any expression.
 */
export function testTitlesOf(file: string): string[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  return titlesIn(parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x') }), []);
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
