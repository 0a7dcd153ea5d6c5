/**
 * Runs the checks: `npm test` everything that a change needs, `npm run test:all` also what takes long
 * and rarely fails, and `--long` only the latter. `--slowest` lists the ten slowest test files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from './chromium.ts';
import { startPrimary } from './cluster/postgres.ts';
import { installPackages } from './debian.ts';
import { missingEngines } from './engines.ts';
import type { Failure, Report } from './run-tests/reports.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const BIN = path.join(ROOT, 'node_modules/.bin');
const PROGRESS_MS = process.stdout.isTTY ? 1_000 : 30_000;

type Step = readonly [title: string, command: readonly string[], env?: NodeJS.ProcessEnv];
const REPORTER = '--reporter=./scripts/run-tests';
const vitest = (...args: string[]) => ['vitest', 'run', `${REPORTER}/vitest-reporter.ts`, ...args];
const longVitest = (...args: string[]) => vitest('--config', 'vitest.long.config.ts', ...args);
const fuzz = () => vitest('--config', 'vitest.fuzz.config.ts');
const playwright = (...args: string[]) => [
  'playwright',
  'test',
  `${REPORTER}/playwright-reporter.ts`,
  ...args,
];

/** Each lane runs beside the others. */
const CHECKS: readonly (readonly Step[])[] = [
  [
    ['Route types', ['react-router', 'typegen']],
    ['Types', ['tsc', '--noEmit']],
  ],
  [
    ['Lint', ['biome', 'ci', '.']],
    ['Boundaries', ['depcruise', 'contract', 'server', 'web', 'scripts']],
    ['Dead code', ['knip']],
    ['Schema types', ['node', 'scripts/db-types.ts', '--verify']],
    ['Build', ['node', 'scripts/build.ts']],
  ],
];
/** Playwright looks for it in the file's path, the title, and the tags. */
const LONG_NAMES = String.raw`@long|\.long\.spec`;
const TESTS: readonly Step[] = [
  ['Unit and API tests', vitest()],
  ['Fuzzing, 2,000 requests', fuzz(), { FUZZ_REQUESTS: '2000' }],
  ['Browser tests', playwright('--grep-invert', LONG_NAMES)],
];
const LONG: readonly Step[] = [
  ['Build', ['node', 'scripts/build.ts']],
  ['Bill of materials', ['node', 'scripts/sbom.ts']],
  ['Long unit and API tests', longVitest()],
  ['Long browser tests', playwright('--grep', LONG_NAMES)],
];
/** Beside it, other tests use the second processor. */
const LONG_FUZZING: Step = ['Fuzzing, 20,000 requests', fuzz()];
const IN_ENGINES = playwright('--config', 'playwright.engines.config.ts');
/** The API tests that depend most on PostgreSQL's version. */
const ON_DEBIAN = vitest(
  ...['server/backup', 'server/db', 'server/rate-limits'],
  ...['discovery', 'employers', 'reviews/list', 'saved'].map((name) => `server/features/${name}`),
  '--exclude=server/db/embedded/**',
);
const LONG_ON_DEBIAN = longVitest(
  'server/backup/backup',
  'server/db/rewrite',
  'server/db/long-values',
  'server/db/key-plans',
);

const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean' },
    long: { type: 'boolean' },
    slowest: { type: 'boolean' },
  },
});
const counts = { passed: 0, failed: 0 };
const seconds: Record<string, number> = {};

/** A terminal's line in progress is overwritten. */
const clearLine = process.stdout.isTTY ? '\r\x1b[K' : '';
const line = (text: string) => process.stdout.write(`${clearLine}${text}\n`);

function show({ name, place, error, repeat }: Failure): void {
  line(`\nFAILED  ${name}\n        ${place}\n\n${error.replace(/^/gm, '  ')}\n\n  ${repeat}\n`);
}

/** Runs a step. Shows its output only if it fails without saying which test. */
async function run([title, [command = '', ...args], env]: Step): Promise<boolean> {
  const start = performance.now();
  const elapsed = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const child = spawn(path.join(BIN, command), args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      ...env,
      CHROMIUM_PATH: chromium,
      FORCE_COLOR: '0',
      // Servers of browser tests start in half the time.
      NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compiled'),
    },
  });
  const before = counts.failed;
  let ended: Extract<Report, { kind: 'end' }> | undefined;
  let progress = '';
  child.on('message', (report: Report) => {
    if (report.kind === 'progress') progress = report.text;
    else if (report.kind === 'failure') show(report);
    else ended = report;
  });
  const timer = setInterval(() => {
    const text = `${title}: ${elapsed()} ${progress}`;
    if (process.stdout.isTTY) process.stdout.write(`${clearLine}${text.slice(0, 100)}`);
    else line(`   ${text}`);
  }, PROGRESS_MS);
  const output = await outputOf(child);
  clearInterval(timer);
  const passed = child.exitCode === 0;
  counts.passed += ended?.passed ?? (passed ? 1 : 0);
  counts.failed += ended?.failed ?? 0;
  if (!passed && counts.failed === before) {
    counts.failed += 1;
    line(output);
  } else if (!passed && output.trim() !== '') line(output);
  Object.assign(seconds, ended?.files);
  const found = ended ? `, ${ended.passed} passed, ${ended.failed} failed` : '';
  const skipped = ended && ended.skipped > 0 ? `, ${ended.skipped} skipped` : '';
  line(`${passed ? 'ok    ' : 'FAILED'} ${title}: ${elapsed()}${found}${skipped}`);
  return passed;
}

/** Resolves with what a process has printed once it has ended. */
async function outputOf(child: ChildProcess): Promise<string> {
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  }
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  return Buffer.concat(printed).toString();
}

async function runAll(steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) if (!(await run(step))) return false;
  return true;
}

const allPass = async (lanes: readonly Promise<boolean>[]) =>
  (await Promise.all(lanes)).every(Boolean);

async function runInEngines(): Promise<boolean> {
  const missing = missingEngines();
  if (!missing) return run(['Journeys in Firefox and WebKit', IN_ENGINES]);
  line(missing);
  return !process.env['CI'];
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
/** Apart from those of the cluster test. */
const DEBIAN_PORT = 21_900;

async function runOnDebian(): Promise<boolean> {
  if (!existsSync(DEBIAN_POSTGRES)) installPackages('postgresql');
  if (!existsSync(DEBIAN_POSTGRES)) {
    line('skipped: API tests on another PostgreSQL. To run them: apt-get install postgresql');
    return !process.env['CI'];
  }
  const postgres = await startPrimary(DEBIAN_PORT);
  try {
    const env = { DATABASE_URL: postgres.url('postgres') };
    const short = await run(["API tests on Debian's PostgreSQL", ON_DEBIAN, env]);
    const long = await run(["Long API tests on Debian's PostgreSQL", LONG_ON_DEBIAN, env]);
    return short && long;
  } finally {
    await postgres[Symbol.asyncDispose]();
  }
}

const chromium = ensureChromium();

let passed = true;
if (!options.long) {
  passed = (await allPass(CHECKS.map(runAll))) && (await runAll(TESTS));
}
if (passed && (options.long || options.all)) {
  passed = (await runAll(LONG)) && (await allPass([run(LONG_FUZZING), runOnDebian()]));
  passed &&= await runInEngines();
}
if (options.slowest) {
  line('\nThe slowest files, in seconds of one core:');
  const slowest = Object.entries(seconds).toSorted(([, a], [, b]) => b - a);
  for (const [file, time] of slowest.slice(0, 10)) line(`${time.toFixed(1).padStart(7)}  ${file}`);
}
line(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(passed ? 0 : 1);
