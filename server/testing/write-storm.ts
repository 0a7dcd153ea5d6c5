import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import type { TestApp } from './app.ts';
import { newEmployer, reviewOf } from './factories.ts';
import { newSite } from './site.ts';

const DOCTORS = 8;
/** Fewer than the clients, so that clients also wait for connections. */
const CONNECTIONS = 6;
const EMPLOYERS = 6;
const LEAST = 2;
const CONCERNS = ['call', 'pay', 'staffing', 'boarding'];

type Headers = { authorization: string };
type Method = 'POST' | 'PATCH' | 'DELETE';

const pick = <T>(some: readonly T[]): T | undefined =>
  some[Math.floor(Math.random() * some.length)];

const ACTS = [
  'POST /reviews/ 201',
  'PATCH /reviews/:id/ 200',
  'DELETE /reviews/:id/ 204',
  'POST /reviews/:id/helpful/ 200',
  'POST /admin/employers/:id/merge/ 200',
];

/** Sends all clients' actions at the same time, and counts the statuses of the responses. */
class Storm {
  readonly answers = new Map<string, number>();
  readonly #end: number;
  readonly #server: TestApp;
  /** Reviews to vote for. */
  #reviews: string[] = [];
  readonly #employers: number[];
  #serial = 0;

  constructor(server: TestApp, employers: number[], forMs: number) {
    this.#end = Date.now() + forMs;
    this.#server = server;
    this.#employers = employers;
  }

  /** Not before each act has succeeded a few times, on a machine of any speed. */
  get isOver(): boolean {
    const isDone = (what: string) => (this.answers.get(what) ?? 0) >= LEAST;
    return Date.now() >= this.#end && ACTS.every(isDone);
  }

  async #send(headers: Headers, method: Method, path: string, payload?: object) {
    const url = `/api${path}`;
    const answer = await this.#server.app.inject({
      method,
      url,
      headers,
      ...(payload && { payload }),
    });
    const what = `${method} ${path.replace(/\/[0-9a-f-]{36}|\/\d+/, '/:id')} ${answer.statusCode}`;
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1);
    return answer;
  }

  /** A review with words that other clients add at the same time. */
  #review() {
    this.#serial += 1;
    const word = `storm${Math.floor(this.#serial / DOCTORS)}`;
    const isCustom = this.#serial % 10 === 0;
    return {
      ...reviewOf(pick(this.#employers) ?? 0, {
        overall_rating: 1 + (this.#serial % 5),
        // Two of the concerns, in either order.
        review_text: `${word}b ${word}a ${word}${this.#serial % 3} ${pick(CONCERNS)} ${pick(CONCERNS)}`,
        position_title: `Fellow ${this.#serial}`,
        specialty: pick(['Hospital Medicine', 'Nephrology']),
        would_recommend: this.#serial % 2 === 0,
        ...(this.#serial % 3 === 0 && { is_current_employee: false, end_year: 2023 }),
      }),
      ...(isCustom && { employer: `Storm Clinic ${word}`, is_custom_employer: 'true' }),
    };
  }

  async doctor(headers: Headers) {
    const own: string[] = [];
    while (!this.isOver) {
      const mine = pick(own);
      const chance = Math.random();
      if (!mine || chance < 0.3) {
        const answer = await this.#send(headers, 'POST', '/reviews/', this.#review());
        if (answer.statusCode !== 201) continue;
        own.push(answer.json().id);
        this.#reviews.push(answer.json().id);
      } else if (chance < 0.5) {
        await this.#send(headers, 'PATCH', `/reviews/${mine}/`, this.#review());
      } else if (chance < 0.6) {
        await this.#send(headers, 'DELETE', `/reviews/${mine}/`);
        own.splice(own.indexOf(mine), 1);
        this.#reviews = this.#reviews.filter((id) => id !== mine);
      } else {
        const kind = pick(['helpful', 'not-helpful']);
        const method = chance < 0.9 ? 'POST' : 'DELETE';
        await this.#send(headers, method, `/reviews/${pick(this.#reviews)}/${kind}/`);
      }
    }
  }

  /** Merges and renames employers, and removes and restores reviews. */
  async admin(headers: Headers) {
    for (let round = 0; !this.isOver; round += 1) {
      const from = await newEmployer(this.#server);
      this.#employers.push(from);
      const name = `Renamed ${round}`;
      await this.#send(headers, 'PATCH', `/admin/employers/${pick(this.#employers)}/`, { name });
      const removed = pick(this.#reviews);
      const path = `/admin/reviews/${removed}`;
      await this.#send(headers, 'POST', `${path}/remove/`, { reason: 'a test' });
      await this.#send(headers, 'POST', `${path}/restore/`);
      const [into] = this.#employers;
      await this.#send(headers, 'POST', `/admin/employers/${from}/merge/`, { into });
      this.#employers.splice(this.#employers.indexOf(from), 1);
    }
  }

  async rewrite() {
    while (!this.isOver) {
      await rewriteTables(this.#server.deps.database.background.pool);
      await pause(100);
    }
  }
}

/** Values that triggers maintain, and the same values recomputed. */
async function kept({ deps }: TestApp) {
  const { pool } = deps.database.background;
  const read = async () => {
    const tables = ['employer_ratings', 'employer_specialties'].map(async (table) => {
      const { rows } = await pool.query(
        `select to_jsonb(t)::text as row from ${table} t order by 1`,
      );
      return rows;
    });
    return Promise.all(tables);
  };
  const before = await read();
  await pool.query('select employer_ratings_recompute(array(select id from employers))');
  const votes = await pool.query(
    `select id from reviews left join review_votes on review_id = id
     group by id having helpful_count <> count(*) filter (where helpful)
       or not_helpful_count <> count(*) filter (where not helpful)`,
  );
  return { before, after: await read(), miscounted: votes.rows };
}

/** Eight doctors, an administrator, and the rewrite write at the same time. */
export async function expectCalmAfterStorm(forMs: number): Promise<void> {
  const site = await newSite();
  site.deps.database.pool.options.max = CONNECTIONS;
  const employers: number[] = [];
  while (employers.length < EMPLOYERS) employers.push(await site.employer());
  const doctors = [];
  while (doctors.length < DOCTORS) doctors.push(await site.doctor());
  const admin = await site.admin();

  const storm = new Storm(site, employers, forMs);
  await Promise.all([
    ...doctors.map(({ headers }) => storm.doctor(headers)),
    storm.admin(admin.headers),
    storm.rewrite(),
  ]);

  expect([...storm.answers].filter(([what]) => /5\d\d$/.test(what))).toEqual([]);
  const { before, after, miscounted } = await kept(site);
  for (const rows of before) expect(rows).not.toEqual([]);
  expect(before).toEqual(after);
  expect(miscounted).toEqual([]);
}
