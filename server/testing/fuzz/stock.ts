import type { TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
import type { Accounts, SignedInRole } from './accounts.ts';
import type { Operation } from './operations.ts';
import type { Role } from './roles.ts';
import type { Story } from './story.ts';

const EMPLOYERS = 12;
const AUTHORS = 4;
const REMOVED = 5;
const DOCTORS = 4;
const COLLEAGUES = 3;
const CASES = 40;
/** A poster with fewer or more reviews than this is replaced by a new one. */
const MIN_OWN = 4;
const MAX_OWN = 40;

/** Requests that may change an account's password or permissions. */
const ENDINGS = ['POST /api/auth/password/change/', 'PATCH /api/users/{id}/'];

/** A successful request and its response. */
interface Success {
  readonly role: Role;
  readonly operation: Operation;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The employers, reviews, doctors, staff, cases, and legal demands that requests refer to. */
export class Stock {
  readonly #server: TestApp;
  readonly #accounts: Accounts;
  readonly #ended = new Set<SignedInRole>();
  readonly #reviews: string[] = [];
  #employers: number[] = [];
  #removed: string[] = [];
  #own: string[] = [];
  #doctors: string[] = [];
  #colleagues: string[] = [];
  #cases: string[] = [];
  #demands: string[] = [];
  /** Reviews that the representative can reply to. */
  #spoken: string[] = [];

  private constructor(server: TestApp, accounts: Accounts) {
    this.#server = server;
    this.#accounts = accounts;
  }

  static async open(server: TestApp, accounts: Accounts): Promise<Stock> {
    const stock = new Stock(server, accounts);
    for (let at = 0; at < EMPLOYERS; at += 1) {
      const state = at % 2 ? 'IL' : 'TX';
      stock.#employers.push(await newEmployer(server, { state, bed_count: at * 50 }));
    }
    for (let at = 0; at < AUTHORS; at += 1) {
      stock.#reviews.push(...(await stock.#write(await signedInDoctor(server))));
    }
    const more = await stock.#write(await signedInDoctor(server));
    stock.#removed = more.slice(0, REMOVED);
    for (const id of stock.#removed) await stock.#remove(id);
    stock.#own = await stock.#write(accounts.of('poster'));
    stock.#spoken = [await stock.#writeForRepresentative()];
    await stock.tidy();
    return stock;
  }

  /** The id for a placeholder; null if the placeholder is not an id. */
  idOf(name: string, at: number, role: Role): string | null {
    const lists: Record<string, readonly (string | number)[]> = {
      employer: this.#employers,
      review: this.#reviews,
      removed: this.#removed,
      doctor: this.#doctors,
      colleague: this.#colleagues,
      case: this.#cases,
      demand: this.#demands,
      spoken: this.#spoken,
      representative: [this.#accounts.of('representative').userId],
      own: role === 'poster' ? this.#own : this.#reviews,
    };
    const list = lists[name];
    return list ? String(list[at % list.length] ?? '0') : null;
  }

  /** Replaces what requests have used up. */
  async tidy(): Promise<void> {
    while (this.#employers.length < EMPLOYERS)
      this.#employers.push(await newEmployer(this.#server));
    while (this.#doctors.length < DOCTORS) {
      this.#doctors.push((await this.#accounts.create('pending')).userId);
    }
    while (this.#colleagues.length < COLLEAGUES) {
      this.#colleagues.push((await this.#accounts.create('admin')).userId);
    }
    const cases = this.#server.deps.db.selectFrom('cases').select('id').limit(CASES);
    this.#cases = (await cases.execute()).map(({ id }) => id);
    const demands = this.#server.deps.db.selectFrom('legal_demands').select('id').limit(CASES);
    this.#demands = (await demands.execute()).map(({ id }) => id);
    if (this.#own.length < MIN_OWN || this.#own.length > MAX_OWN) this.#ended.add('poster');
    for (const role of await this.#accounts.signedOut()) this.#ended.add(role);
    for (const role of this.#ended) await this.#accounts.renew(role);
    if (this.#ended.has('representative')) this.#spoken = [await this.#writeForRepresentative()];
    if (this.#ended.has('poster')) this.#own = await this.#write(this.#accounts.of('poster'));
    this.#ended.clear();
  }

  /** Records what a request created or used up. */
  learn(story: Story, { role, operation, url, body, headers }: Success): void {
    const route = `${operation.method} ${operation.path}`;
    if (ENDINGS.includes(route) && this.#accounts.isSignedIn(role)) this.#ended.add(role);
    const id = /\/(?:employers|reviews|doctors|staff)\/([\w-]+)/.exec(url)?.[1] ?? '';
    switch (route) {
      case 'POST /api/reviews/':
        story.last = JSON.parse(body).id;
        this.#own.push(story.last);
        break;
      case 'DELETE /api/reviews/{id}/':
        this.#own = this.#own.filter((own) => own !== id);
        break;
      case 'POST /api/employers/custom/':
        story.last = String(JSON.parse(body).id);
        break;
      case 'POST /api/admin/employers/{id}/merge/':
        this.#employers = this.#employers.filter((employer) => String(employer) !== id);
        break;
      case 'POST /api/admin/doctors/{id}/evict/':
      case 'POST /api/admin/doctors/{id}/ban/':
        this.#doctors = this.#doctors.filter((doctor) => doctor !== id);
        break;
      case 'DELETE /api/admin/staff/{id}/':
        this.#colleagues = this.#colleagues.filter((colleague) => colleague !== id);
        break;
      case 'POST /api/admin/factor/setup/':
        story.factor = JSON.parse(body);
        break;
      case 'POST /api/admin/factor/':
      case 'POST /api/admin/factor/enter/':
        if (role === 'officer') {
          story.officePass = /office_pass=[^;,]+/.exec(headers['set-cookie'] ?? '')?.[0] ?? '';
        }
    }
  }

  async #writeForRepresentative(): Promise<string> {
    const { userId } = this.#accounts.of('representative');
    const { employer_id } = await this.#server.deps.db
      .selectFrom('representatives')
      .select('employer_id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    const { headers } = await signedInDoctor(this.#server);
    const payload = reviewOf(employer_id);
    const url = '/api/reviews/';
    const answer = await this.#server.app.inject({ method: 'POST', url, headers, payload });
    return answer.json<{ id: string }>().id;
  }

  /** Posts a review of every employer. Returns the reviews' ids. */
  async #write({ headers }: TestAccount): Promise<string[]> {
    const ids: string[] = [];
    for (const [at, employer] of this.#employers.entries()) {
      const position_title = at % 2 ? 'Resident' : 'Hospitalist';
      const payload = reviewOf(employer, { position_title, overall_rating: (at % 5) + 1 });
      const url = '/api/reviews/';
      const answer = await this.#server.app.inject({ method: 'POST', url, headers, payload });
      ids.push(answer.json<{ id: string }>().id);
    }
    return ids;
  }

  async #remove(id: string): Promise<void> {
    await this.#server.app.inject({
      method: 'POST',
      url: `/api/admin/reviews/${id}/remove/`,
      headers: this.#accounts.of('admin').headers,
      payload: { reason: 'Off topic' },
    });
  }
}
