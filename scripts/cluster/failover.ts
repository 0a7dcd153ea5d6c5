import { setTimeout as pause } from 'node:timers/promises';
import { newClinic, openWriters, postReview, type Writer } from './members.ts';
import { startPatroni } from './patroni.ts';
import { newSite, type Server, startServer } from './server.ts';
import { duration, type Row, row } from './table.ts';

const WRITERS = 16;
const BEFORE_MS = 5000;
/** How long posting continues after the kill. */
const AFTER_MS = 40_000;
const RETRY_MS = 50;
const LONGEST_S = 30;
/** Its response does not depend on reviews, so posts do not evict it from the cache. */
const KEPT = '/api/physician-counts/?state=MA';
/** Every post evicts these, so they need the database. */
const LISTS = ['/api/reviews/', '/reviews', '/api/employers/', '/employers'];

/** Kills the primary while members post without pause, and counts what they see. */
export async function failover(port: number): Promise<Row[]> {
  await using patroni = await startPatroni(port);
  const site = newSite(patroni.url);
  await using first = await startServer(site);
  await using second = await startServer(site);
  const writers = await openWriters(site, WRITERS);
  const seen = new Tally();
  const readers = [readKept([first, second], seen), readLists([first, second], seen)];
  const posting = writers.map((writer, at) => post(at % 2 ? first : second, writer, seen));
  await pause(BEFORE_MS);
  await patroni.killPrimary();
  const killedAt = performance.now();
  await pause(AFTER_MS);
  seen.isOver = true;
  await Promise.all([...posting, ...readers]);
  // A response to a request from before the kill may arrive after it.
  const sent = seen.sentAt.filter((at) => at > killedAt);
  const back = seen.confirmed.filter(({ sentAt }) => sentAt > killedAt).map(({ at }) => at);
  const seconds = (Math.min(...back) - Math.min(...sent)) / 1000;
  const stored = new Set(patroni.ask('select id from reviews').split('\n'));
  const lost = seen.confirmed.filter(({ id }) => !stored.has(id)).length;
  const doubled = Number(
    patroni.ask(
      'select count(*) from (select from reviews group by employer_id having count(*) > 1) as twice',
    ),
  );
  const other = [...seen.statuses].filter(([status]) => ![201, 503].includes(status));
  const unreadable = [...seen.listStatuses].filter(([status]) => ![200, 503].includes(status));
  const posts = `responses to posts other than 201 and 503 (${seen.statuses.get(503) ?? 0} of these)`;
  const [read = 0, refused = 0] = [200, 503].map((status) => seen.listStatuses.get(status));
  const lists = `responses of lists that posts evict, other than ${read} × 200 and ${refused} × 503`;
  return [
    row(`confirmed reviews lost when the primary is killed, of ${seen.confirmed.length}`, lost, 0),
    row('reviews posted twice', doubled, 0),
    duration(
      'time from the first request after the kill until a review is confirmed again',
      seconds,
      LONGEST_S,
    ),
    row(posts, listed(other), '0'),
    row('503 responses without Retry-After', seen.withoutRetryAfter, 0),
    row(`failed reads of a cached response, of ${seen.reads}`, seen.interrupted, 0),
    row(lists, listed(unreadable), '0'),
  ];
}

const listed = (statuses: readonly [number, number][]) =>
  statuses.map(([status, times]) => `${times} × ${status}`).join(', ') || '0';

class Tally {
  isOver = false;
  /** When each post was sent. */
  readonly sentAt: number[] = [];
  readonly confirmed: { id: string; sentAt: number; at: number }[] = [];
  readonly statuses = new Map<number, number>();
  readonly listStatuses = new Map<number, number>();
  withoutRetryAfter = 0;
  reads = 0;
  interrupted = 0;

  count(statuses: Map<number, number>, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 503 && !headers.has('retry-after')) this.withoutRetryAfter += 1;
  }
}

/** Posts reviews one at a time, each until it is confirmed or found to exist. */
async function post(server: Server, writer: Writer, seen: Tally) {
  while (!seen.isOver) {
    const name = newClinic();
    let id: string | null = null;
    let sentAt = 0;
    while (id === null && !seen.isOver) {
      sentAt = performance.now();
      seen.sentAt.push(sentAt);
      const { status, headers, body } = await postReview(server, writer, name);
      // It was committed before the connection was lost.
      if (body['code'] === 'duplicate_review') break;
      seen.count(seen.statuses, { status, headers });
      if (status === 201) id = String(body['id']);
      else await pause(RETRY_MS);
    }
    if (id !== null) seen.confirmed.push({ id, sentAt, at: performance.now() });
  }
}

async function readKept(servers: readonly Server[], seen: Tally) {
  for (const { url } of servers) await fetch(url + KEPT);
  while (!seen.isOver) {
    for (const { url } of servers) {
      const { status } = await fetch(url + KEPT);
      seen.reads += 1;
      if (status !== 200) seen.interrupted += 1;
    }
    await pause(20);
  }
}

async function readLists(servers: readonly Server[], seen: Tally) {
  while (!seen.isOver) {
    for (const { url } of servers) {
      for (const path of LISTS) {
        const answer = await fetch(url + path);
        await answer.arrayBuffer();
        seen.count(seen.listStatuses, answer);
      }
    }
    await pause(50);
  }
}
