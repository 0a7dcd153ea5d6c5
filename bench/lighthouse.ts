/**
 * Prints Lighthouse's mobile scores of every public page of a running server as a table: `npm
 * start` in one terminal, `node bench/lighthouse.ts http://localhost:3000` in another. It finds
 * Chromium the way the browser tests do, and runs Lighthouse with npx.
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { apiPath } from '#contract/api-path.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import type { Page } from '#contract/paging.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { paths } from '#web/lib/paths.ts';
import { ensureChromium } from '../scripts/chromium.ts';
import { median } from './figures.ts';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CHROME_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-background-networking --disable-sync --no-first-run';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/**
 * Lighthouse slows a fast computer down 4 times to simulate a mid-range phone, and recommends a
 * smaller factor for slower computers
 * (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md). The index is the
 * midpoint of its range for fast computers.
 */
const REFERENCE = { index: 1750, slowdown: 4 };

interface Report {
  environment: { benchmarkIndex: number };
  categories: Record<(typeof CATEGORIES)[number], { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' } },
});
const [site] = positionals;
if (!site) {
  console.error('pass the URL of the site: node bench/lighthouse.ts http://localhost:3000');
  process.exit(1);
}

const env = { ...process.env, CHROME_PATH: ensureChromium() };
console.log(`| page | ${CATEGORIES.join(' | ')} | CLS | LCP, s | slowdown |\n|${'---|'.repeat(8)}`);
for (const path of await publicPages(site)) {
  const reports: Report[] = [];
  const { environment } = await examine(site + path, REFERENCE.slowdown);
  const speed = Math.min(1, environment.benchmarkIndex / REFERENCE.index);
  const slowdown = REFERENCE.slowdown * speed;
  for (let run = 0; run < Number(values.runs); run += 1)
    reports.push(await examine(site + path, slowdown));
  const scores = CATEGORIES.map((category) =>
    Math.round(100 * median(reports.map(({ categories }) => categories[category].score ?? 0))),
  );
  const [shift, paint] = ['cumulative-layout-shift', 'largest-contentful-paint'].map((audit) =>
    median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN)),
  );
  const seconds = ((paint ?? 0) / 1000).toFixed(2);
  const cells = [path, ...scores, shift?.toFixed(3), seconds, slowdown.toFixed(1)];
  console.log(`| ${cells.join(' | ')} |`);
}

async function examine(url: string, slowdown: number): Promise<Report> {
  // Pages with a query string are meant to be `noindex`.
  const skipped = new URL(url).search ? ['--skip-audits=is-crawlable'] : [];
  const slowed = `--throttling.cpuSlowdownMultiplier=${slowdown}`;
  const args = ['--yes', LIGHTHOUSE, url, '--quiet', '--output=json', slowed, ...skipped];
  const { stdout } = await promisify(execFile)('npx', [...args, `--chrome-flags=${CHROME_FLAGS}`], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** Includes the employer with the most reviews, and a review. */
async function publicPages(origin: string): Promise<string[]> {
  const ask = async <T>(path: string): Promise<Page<T>> =>
    (await fetch(`${origin}/api${path}`)).json() as Promise<Page<T>>;
  const employers = await ask<Employer>(
    apiPath(employerEndpoints.list, { query: { ordering: '-total_reviews' } }),
  );
  const reviews = await ask<Review>(reviewEndpoints.list.path);
  const ids = employers.results.map(({ id }) => id);
  return [
    paths.home(),
    paths.employers(),
    ...ids.slice(0, 1).map((id) => paths.employer(id)),
    paths.compare(ids.slice(0, 3)),
    paths.reviews(),
    ...reviews.results.slice(0, 1).map(({ id }) => paths.review(id)),
    paths.login(),
    paths.signup(),
    paths.forgotPassword(),
    paths.verificationRequired(),
    ...ids.slice(0, 1).map((employer) => paths.represent({ employer })),
    paths.howItWorks(),
    paths.guidelines(),
    paths.transparency(),
    paths.terms(),
    paths.privacy(),
  ];
}
