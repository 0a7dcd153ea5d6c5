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
/** Outside of this range of reviews, a poster is replaced by a new one. */
const MIN_OWN = 4;
const MAX_OWN = 40;

/** Requests that may cost an account its password or permissions. */
const ENDINGS = ['POST /api/auth/password/change/', 'PATCH /api/users/{id}/'];

/** A successful request and its answer. */
interface Success {
  readonly role: Role;
  readonly operation: Operation;
  readonly url: string;
  readonly body: string;
}

/** The employers and reviews that requests refer to. */
export class Stock {
  readonly #server: TestApp;
  readonly #accounts: Accounts;
  readonly #ended = new Set<SignedInRole>();
  readonly #reviews: string[] = [];
  #employers: number[] = [];
  #removed: string[] = [];
  #own: string[] = [];

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
    return stock;
  }

  /** The id for a placeholder; null if it stands for neither an employer nor a review. */
  idOf(name: string, at: number, role: Role): string | null {
    const lists: Record<string, readonly (string | number)[]> = {
      employer: this.#employers,
      review: this.#reviews,
      removed: this.#removed,
      own: role === 'poster' ? this.#own : this.#reviews,
    };
    const list = lists[name];
    return list ? String(list[at % list.length] ?? '0') : null;
  }

  /** Replaces what requests have used up. */
  async tidy(): Promise<void> {
    while (this.#employers.length < EMPLOYERS)
      this.#employers.push(await newEmployer(this.#server));
    if (this.#own.length < MIN_OWN || this.#own.length > MAX_OWN) this.#ended.add('poster');
    for (const role of await this.#accounts.signedOut()) this.#ended.add(role);
    for (const role of this.#ended) await this.#accounts.renew(role);
    if (this.#ended.has('poster')) this.#own = await this.#write(this.#accounts.of('poster'));
    this.#ended.clear();
  }

  /** Records what a request has created or used up. */
  learn(story: Story, { role, operation, url, body }: Success): void {
    const route = `${operation.method} ${operation.path}`;
    if (ENDINGS.includes(route) && this.#accounts.isSignedIn(role)) this.#ended.add(role);
    const id = /\/(?:employers|reviews)\/([\w-]+)/.exec(url)?.[1] ?? '';
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
    }
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
