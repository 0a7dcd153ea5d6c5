import type { TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  newNpi,
  reviewOf,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
import { Accounts, type SignedInRole } from './accounts.ts';
import type { Operation } from './operations.ts';
import type { Role } from './roles.ts';
import { madeOnce, type Story } from './story.ts';
import { CANARY } from './texts.ts';

const EMPLOYERS = 12;
const AUTHORS = 4;
const REMOVED = 5;
/** A poster with more reviews than this gives way to a new one. */
const MAX_OWN = 40;
/** Mails kept for those who wait for them. */
const MAX_MAILS = 200;

/** What answers with the id of something new. */
const CREATIONS: Readonly<Record<string, 'review' | 'employer'>> = {
  'POST /api/reviews/': 'review',
  'POST /api/employers/custom/': 'employer',
};

/** What an account does not survive with the password and rights that it had. */
const ENDINGS = [
  'POST /api/auth/delete-account/',
  'POST /api/auth/password/change/',
  'PATCH /api/users/{id}/',
];

/** The accounts, employers and reviews that placeholders in requests stand for. */
export class World {
  readonly accounts: Accounts;
  readonly #server: TestApp;
  readonly #employers: number[] = [];
  readonly #reviews: string[] = [];
  #removed: string[] = [];
  #own: string[] = [];
  #serial = 0;
  readonly #ended = new Set<SignedInRole>();

  private constructor(server: TestApp, accounts: Accounts) {
    this.#server = server;
    this.accounts = accounts;
  }

  static async open(server: TestApp): Promise<World> {
    const world = new World(server, await Accounts.open(server));
    for (let at = 0; at < EMPLOYERS; at += 1) {
      const state = at % 2 ? 'IL' : 'TX';
      world.#employers.push(await newEmployer(server, { state, bed_count: at * 50 }));
    }
    for (let at = 0; at < AUTHORS; at += 1) {
      world.#reviews.push(...(await world.#write(await signedInDoctor(server))));
    }
    const more = await world.#write(await signedInDoctor(server));
    world.#removed = more.slice(0, REMOVED);
    for (const id of world.#removed) await world.#remove(id);
    world.#own = await world.#write(world.accounts.of('poster'));
    return world;
  }

  /** Replaces accounts that have ended or written much, and forgets old mail. */
  async tidy(): Promise<void> {
    const { mail } = this.#server;
    mail.splice(0, Math.max(0, mail.length - MAX_MAILS));
    if (this.#own.length > MAX_OWN) this.#ended.add('poster');
    for (const role of this.#ended) await this.accounts.renew(role);
    if (this.#ended.has('poster')) this.#own = await this.#write(this.accounts.of('poster'));
    this.#ended.clear();
  }

  /** Takes note of what a successful request has created or ended. */
  learn(role: Role, story: Story, { method, path }: Operation, body: string): void {
    const route = `${method} ${path}`;
    if (ENDINGS.includes(route) && this.accounts.isSignedIn(role)) this.#ended.add(role);
    const creation = CREATIONS[route];
    if (!creation) return;
    story.last = String(JSON.parse(body).id);
    if (creation === 'review') this.#own.push(story.last);
  }

  /** Replaces the placeholders in a text. */
  async resolve(text: string, role: Role, story: Story): Promise<string> {
    const parts = text.split(/\{\{([\w-]+:?[\w-]*)\}\}/);
    for (let at = 1; at < parts.length; at += 2) {
      const [name = '', which = '0'] = (parts[at] ?? '').split(':');
      parts[at] = await this.#value(name, which, role, story);
    }
    return parts.join('');
  }

  async #value(name: string, which: string, role: Role, story: Story): Promise<string> {
    const from = <T>(list: readonly T[]) => String(list[Number(which) % list.length] ?? '0');
    const subject = () => this.accounts.subject(role, story);
    switch (name) {
      case 'employer':
        return from(this.#employers);
      case 'review':
        return from(this.#reviews);
      case 'own':
        return from(role === 'poster' ? this.#own : this.#reviews);
      case 'removed':
        return from(this.#removed);
      case 'last':
        return story.last;
      case 'user':
        return (await subject()).userId;
      case 'email':
        return (await subject()).email;
      case 'refresh':
        return this.accounts.refreshToken(await subject());
      case 'npi':
        return madeOnce(story, `npi ${which}`, newNpi);
      case 'fresh':
        return madeOnce(story, `fresh ${which}`, () => `${CANARY}${++this.#serial}`);
      case 'code':
        return this.#mailed(story, /\b(\d{6})\b/, '000000');
      case 'token':
        return this.#mailed(story, new RegExp(`/${which}\\?\\S*token=([\\w-]+)`), 'x');
      case 'uidb64':
        return this.#mailed(story, /uidb64=([\w-]+)/, 'x');
      default:
        return `{{${name}}}`;
    }
  }

  /** What the newest mail to anyone in the story says, once all mail has been sent. */
  async #mailed(story: Story, pattern: RegExp, otherwise: string): Promise<string> {
    const { jobs, mail } = this.#server;
    await jobs.idle();
    const addresses = [...story.made.values(), story.member?.email ?? '-'];
    const found = mail
      .filter(({ to }) => addresses.some((address) => to.startsWith(address)))
      .map(({ text }) => text.match(pattern)?.[1])
      .findLast((value) => value !== undefined);
    return found ?? otherwise;
  }

  /** A review of every employer. Returns their ids. */
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
      headers: this.accounts.of('admin').headers,
      payload: { reason: 'Off topic' },
    });
  }
}
