import { filledDatabase } from '../../bench/databases.ts';
import { STATES } from '../../bench/employers.ts';
import { median } from '../../bench/figures.ts';
import { type Load, load } from '../../bench/hot.ts';
import { cpuMs } from '../../bench/processes.ts';
import { type Cluster, startPrimary, startStandby } from './postgres.ts';
import { newSite, type Server, startServer } from './server.ts';
import type { Row } from './table.ts';

const SIZES = { reviews: 20_000, employers: 5000 };
const SECONDS = 2;
/**
 * Idle connections have been closed, so these seconds open new ones. A replica that is too slow then
 * is not used for five seconds (server/db/replicas.ts).
 */
const WARM_UP_SECONDS = 7;
const ROUNDS = 3;
const KEPT = { 'list as JSON': '/api/reviews/', page: '/reviews' };
const REPLICAS = ['no replica', 'one replica', 'two replicas'];

/**
 * Measures reads from servers with one process and with one per processor, on zero to two replicas.
 * The setups take turns, so that other load on the machine affects all of them.
 */
export async function throughput(port: number): Promise<Row[]> {
  await using primary = await startPrimary(port);
  const url = await filledDatabase(primary.url('postgres'), SIZES, () => {});
  const database = new URL(url).pathname.slice(1);
  await using first = await startStandby(primary, port + 1);
  await using second = await startStandby(primary, port + 2);
  const standbys = [first, second];
  const site = newSite(url);
  await using servers = new AsyncDisposableStack();
  const setups: Setup[] = [];
  for (const [replicas, name] of REPLICAS.entries()) {
    const urls = standbys.slice(0, replicas).map((each) => each.url(database));
    for (const [WORKERS, many] of [
      ['1', 'one process'],
      ['auto', '`WORKERS=auto`'],
    ] as const) {
      const settings = { ...site, WORKERS, DATABASE_REPLICA_URLS: urls.join() };
      const server = servers.use(await startServer(settings));
      setups.push({ what: `${many}, ${name}`, server, replicas });
    }
  }
  const at = { primary, standbys };
  const rows: Row[] = [];
  const alone = setups.filter(({ replicas }) => replicas === 0);
  for (const [what, path] of Object.entries(KEPT)) {
    const ask: Ask = ({ url, pid }, seconds) => load({ pid }, url + path, seconds);
    for (const [setup, cost] of await inTurn(alone, at, ask)) {
      const micros = (1000 * cost.server).toFixed(0);
      rows.push(info(`cached ${what}: ${setup.what}`, `${each(cost)}, ${micros} µs of CPU each`));
    }
  }
  let asked = 0;
  // Another page size each time, and so nothing cached.
  const nextPath = () => {
    asked += 1;
    const list = asked % 2 === 0 ? 'reviews' : 'employers';
    const state = STATES[Math.floor(asked / 2) % STATES.length];
    const size = 10 + (Math.floor(asked / 2 / STATES.length) % 90);
    return `/api/${list}/?state=${state}&page_size=${size}`;
  };
  const ask: Ask = ({ url, pid }, seconds) => load({ pid }, url, seconds, nextPath);
  const cold = await inTurn(setups, at, ask);
  for (const [setup, cost] of cold) {
    const [server, main, copies] = [cost.server, cost.primary, cost.standbys].map(ms);
    const cpu = `CPU each: server ${server}, primary ${main}, replicas ${copies}`;
    rows.push(info(`uncached list: ${setup.what}`, `${each(cost)}; ${cpu}`));
  }
  const ofPrimary = (isFit: (setup: Setup) => boolean) =>
    median(cold.flatMap(([setup, cost]) => (isFit(setup) ? [cost.primary] : [])));
  const share =
    ofPrimary(({ replicas }) => replicas > 0) / ofPrimary(({ replicas }) => replicas === 0);
  rows.push({
    what: 'CPU time of the primary for an uncached list: with replicas, relative to without',
    measured: `${(100 * share).toFixed(0)}%`,
    target: '25% at most',
    isMet: share <= 0.25,
  });
  return rows;
}

interface Setup {
  readonly what: string;
  readonly server: Server;
  readonly replicas: number;
}

interface Databases {
  readonly primary: Cluster;
  readonly standbys: readonly Cluster[];
}

/** Requests per second, and milliseconds of CPU time per request on each machine. */
interface Cost {
  readonly perSecond: number;
  readonly server: number;
  readonly primary: number;
  readonly standbys: number;
}

type Ask = (server: { url: string; pid: number }, seconds: number) => Promise<Load>;

/** The median of several rounds for each setup. */
async function inTurn(setups: readonly Setup[], at: Databases, ask: Ask): Promise<[Setup, Cost][]> {
  const costs = new Map<Setup, Cost[]>(setups.map((setup) => [setup, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [setup, measured] of costs) {
      measured.push(await costOf(setup.server, at, ask));
    }
  }
  return [...costs].map(([setup, all]) => {
    const middle = (of: keyof Cost) => median(all.map((one) => one[of]));
    const [perSecond, server] = [middle('perSecond'), middle('server')];
    return [setup, { perSecond, server, primary: middle('primary'), standbys: middle('standbys') }];
  });
}

async function costOf(
  { url, process: { pid = 0 } }: Server,
  { primary, standbys }: Databases,
  ask: Ask,
): Promise<Cost> {
  await ask({ url, pid }, WARM_UP_SECONDS);

  const usedBy = (all: readonly Cluster[]) =>
    all.reduce((sum, one) => sum + (cpuMs(one.pid) ?? 0), 0);
  const before = [usedBy([primary]), usedBy(standbys)] as const;
  const { perSecond, cpuMicroseconds } = await ask({ url, pid }, SECONDS);
  const requests = perSecond * SECONDS;
  return {
    perSecond,
    server: (cpuMicroseconds ?? 0) / 1000,
    primary: (usedBy([primary]) - before[0]) / requests,
    standbys: (usedBy(standbys) - before[1]) / requests,
  };
}

const each = ({ perSecond }: Cost) => `${perSecond.toFixed(0)} per second`;
const ms = (value: number) => `${value.toFixed(2)} ms`;

const info = (what: string, measured: string): Row => ({
  what,
  measured,
  target: 'none',
  isMet: true,
});
