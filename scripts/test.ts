/**
 * Runs every check, cheapest first: types, lint, boundaries, dead code, schema types, unit and API
 * tests, the build, fuzzing, and the browser tests.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './chromium.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const STEPS: [title: string, command: string, ...args: string[]][] = [
  ['Route types', 'react-router', 'typegen'],
  ['Types', 'tsc', '--noEmit'],
  ['Lint', 'biome', 'ci', '.'],
  ['Boundaries', 'depcruise', 'contract', 'server', 'web', 'scripts'],
  ['Dead code', 'knip'],
  ['Schema types', 'node', 'scripts/db-types.ts', '--verify'],
  ['Unit and API tests', 'vitest', 'run'],
  ['Build', 'node', 'scripts/build.ts'],
  ['Fuzzing', 'vitest', 'run', '--config', 'vitest.fuzz.config.ts'],
  ['Browser tests', 'playwright', 'test'],
];

const FAILED_PAGES = 'test-results/*/error-context.md';

const chromium = ensureChromium();
const env = { ...process.env, CHROMIUM_PATH: chromium, FORCE_COLOR: '0' };
for (const [title, command, ...args] of STEPS) {
  const started = performance.now();
  console.log(`\n== ${title}`);
  const { status } = spawnSync(path.join(ROOT, 'node_modules/.bin', command), args, {
    cwd: ROOT,
    stdio: 'inherit',
    env,
  });
  if (status !== 0) {
    // Prints the page, because a failure that happens once in a thousand runs is hard to repeat.
    for (const file of title === 'Browser tests' ? globSync(FAILED_PAGES, { cwd: ROOT }) : []) {
      console.error(readFileSync(path.join(ROOT, file), 'utf8'));
    }
    console.error(`\n== ${title}: failed`);
    process.exit(1);
  }
  console.log(`== ${title}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
console.log('\nAll checks passed.');
