/**
 * Measures the figures of docs/performance.md on the PostgreSQL server of DATABASE_URL: `npm run
 * bench -- --reviews 100000 --seconds 3`. It keeps its database for the next run.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { filledDatabase, serverUrl, versionOf } from './databases.ts';
import { type Figure, tableOf } from './figures.ts';
import { hotFigures } from './hot.ts';
import { pageFigures } from './pages.ts';
import { postingFigures } from './posting.ts';

const { values } = parseArgs({
  options: {
    reviews: { type: 'string', default: '1000000' },
    employers: { type: 'string', default: '20000' },
    /** Duration of each load test. */
    seconds: { type: 'string', default: '5' },
  },
});
const server = serverUrl();
const say = (line: string) => console.error(line);
const [reviews, employers] = [Number(values.reviews), Number(values.employers)];
const seconds = Number(values.seconds);
const url = await filledDatabase(server, { reviews, employers }, say);
const figures: Figure[] = [
  ...(await hotFigures(url, seconds)),
  ...(await pageFigures(url)),
  ...(await postingFigures(url, reviews, seconds)),
];

const [cpu] = cpus();
console.log(
  `${await versionOf(server)}, Node ${process.version}, ${cpus().length} × ${cpu?.model}, ` +
    `load ${loadavg()[0]?.toFixed(1)}\n`,
);
console.log(tableOf(figures));
