/**
 * Measures the figures of docs/performance.md on the PostgreSQL server of DATABASE_URL: `npm run
 * bench -- --sizes 10000,100000 --seconds 3`. It keeps its databases for the next run.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type ColdResult, coldFigures, growthFigures, pageFigures } from './cold.ts';
import { filledDatabase, versionOf } from './databases.ts';
import { type Figure, tableOf } from './figures.ts';
import { hotFigures } from './hot.ts';
import { importFigures } from './import.ts';
import { postingFigures } from './posting.ts';
import { scriptFigures } from './script-weight.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    employers: { type: 'string', default: '20000' },
    /** Duration of each load test. */
    seconds: { type: 'string', default: '5' },
  },
});
const serverUrl = process.env['DATABASE_URL'];
if (!serverUrl) {
  console.error('DATABASE_URL must name a PostgreSQL server where databases can be created');
  process.exit(1);
}

const say = (line: string) => console.error(line);
const sizes = values.sizes
  .split(',')
  .map(Number)
  .toSorted((a, b) => a - b);
const employers = Number(values.employers);
const seconds = Number(values.seconds);

const cold: { reviews: number; url: string; result: ColdResult }[] = [];
for (const reviews of sizes) {
  const url = await filledDatabase(serverUrl, { reviews, employers }, say);
  say(`cold lists and searches, ${reviews} reviews`);
  cold.push({ reviews, url, result: await coldFigures(url, reviews, seconds) });
}
const [smallest, largest] = [cold[0], cold.at(-1)];
if (!smallest || !largest) throw new Error('no sizes');

say('hot answers, pages, posts, script, import');
const figures: Figure[] = [
  ...(await hotFigures(largest.url, seconds)),
  ...cold.flatMap(({ result }) => result.figures),
  ...(smallest === largest ? [] : growthFigures(smallest, largest)),
  ...(await pageFigures(largest.url)),
  ...(await postingFigures(largest.url, largest.reviews, seconds)),
  ...(await scriptFigures(largest.url)),
  ...(await importFigures(serverUrl)),
];

const [cpu] = cpus();
console.log(
  `${await versionOf(serverUrl)}, Node ${process.version}, ${cpus().length} × ${cpu?.model}, ` +
    `load ${loadavg()[0]?.toFixed(1)}\n`,
);
console.log(tableOf(figures));
