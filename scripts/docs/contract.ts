import { globSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './markdown.ts';

/** Word lists, states, and specialties are data, and the errors are in docs/api.md. */
const ELSEWHERE =
  /(?:-words|specialties|states)\.ts$|(?:^|\/)(?:transport-)?errors\.ts$|\.test\.ts$/;

/** The contract's exports with names in capitals, such as `PAGE_SIZE` or `REVIEW_CHECKS`. */
export async function contractConstants(): Promise<[name: string, value: unknown][]> {
  const files = globSync('contract/**/*.ts', { cwd: ROOT }).filter((file) => !ELSEWHERE.test(file));
  const modules = await Promise.all(files.map((file) => import(path.join(ROOT, file))));
  return modules.flatMap((one) => Object.entries(one)).filter(([name]) => /^[A-Z_]+$/.test(name));
}

/** The strings in a constant, at any depth. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
  return isPlain ? Object.values(value as object).flatMap(stringsIn) : [];
}
