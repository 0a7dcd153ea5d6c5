import { beginSession } from '#server/features/accounts/session/sessions.ts';
import { addAdmin } from '#server/features/accounts/signup/signup.ts';
import { PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import type { TestApp } from '#server/testing/app.ts';
import {
  newDoctor,
  newEmail,
  newEmployer,
  newNpi,
  POSTER,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';
import { MATCHED, signedInAgain } from '#server/testing/matched-doctor.ts';
import { type Role, SIGNED_IN } from './roles.ts';
import { CANARY } from './texts.ts';

const HOUR_MS = 3_600_000;
const EMPLOYERS = 12;
const AUTHORS = 4;
/** A poster with fewer or more reviews than this is replaced by a new one. */
const MIN_OWN = 4;
const MAX_OWN = 40;
/** The most ids of a kind that requests refer to. */
const MOST = 40;

/** The roles that one person can have, and the one that must be separate. */
const STAFF = {
  admin: ['owner', 'moderator', 'curator', 'auditor'],
  verifier: ['verifier'],
} as const;
const PROFILES = { pending: {}, readonly: { verified: true }, poster: POSTER };
type SignedInRole = (typeof SIGNED_IN)[number];

/** `Authorization` values that authenticate nobody. */
const GARBAGE_TOKENS = [
  ...['Bearer', 'Bearer x.y.z', 'Bearer a.b.c, Bearer d.e.f', 'Basic YTpi', 'bearer é.é.é'],
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIiwic2lkIjoiMSIsImlzcyI6ImN1cmJzaWRlIn0.',
  `Bearer ${'a'.repeat(5000)}`,
];

/** The accounts of the roles, and what requests refer to. */
export class World {
  readonly #server: TestApp;
  readonly #accounts = new Map<SignedInRole, TestAccount>();
  readonly #doctors: string[] = [];
  readonly #colleagues: string[] = [];
  #ids: Readonly<Record<string, readonly (string | number)[]>> = {};
  #expired = '';
  #serial = 0;

  private constructor(server: TestApp) {
    this.#server = server;
  }

  static async open(server: TestApp): Promise<World> {
    const world = new World(server);
    const employers: number[] = [];
    for (let at = 0; at < EMPLOYERS; at += 1) {
      const state = at % 2 ? 'IL' : 'TX';
      employers.push(await newEmployer(server, { state, bed_count: at * 50 }));
    }
    world.#ids = { employer: employers };
    for (let at = 0; at < AUTHORS; at += 1) await world.#write(await signedInDoctor(server));
    const { userId } = await signedInDoctor(server);
    const hourAgo = () => new Date(server.time.now.getTime() - HOUR_MS);
    const { deps } = server;
    const { access } = await beginSession({ ...deps, clock: hourAgo }, deps.db, userId);
    world.#expired = `Bearer ${access}`;
    await world.tidy();
    return world;
  }

  /** Replaces what requests have used up, and deletes old mail. */
  async tidy(): Promise<void> {
    const { app, mail, deps } = this.#server;
    mail.length = 0;
    for (const role of SIGNED_IN) {
      const { headers } = this.#accounts.get(role) ?? {};
      const { statusCode } = await app.inject({
        url: '/api/auth/user/',
        ...(headers && { headers }),
      });
      if (statusCode !== 200) await this.#renew(role);
    }
    this.#doctors.unshift((await newDoctor({ deps })).id);
    this.#colleagues.unshift((await signedInAdmin(this.#server)).userId);
    const idsOf = async (table: 'employers' | 'reviews' | 'cases' | 'legal_demands') => {
      const rows = await deps.db.selectFrom(table).select('id').orderBy('id').limit(MOST).execute();
      return rows.map(({ id }) => id);
    };
    this.#ids = {
      employer: await idsOf('employers'),
      review: await idsOf('reviews'),
      case: await idsOf('cases'),
      demand: await idsOf('legal_demands'),
      doctor: this.#doctors.slice(0, MOST),
      colleague: this.#colleagues.slice(0, MOST),
      own: await this.#ownReviews(),
    };
  }

  /** The `Authorization` header of a role; empty for a role that is signed out. */
  authorization(role: Role): string {
    if (role === 'expired') return this.#expired;
    this.#serial += 1;
    if (role === 'garbage') return GARBAGE_TOKENS[this.#serial % GARBAGE_TOKENS.length] ?? '';
    return role === 'signed-out' ? '' : this.#of(role).headers.authorization;
  }

  /** Replaces the placeholders in a text. `last` is the id of the latest created item. */
  async resolve(text: string, role: Role, last: string): Promise<string> {
    const { deps } = this.#server;
    const subject = this.#accounts.get(role as SignedInRole) ?? this.#of('poster');
    const refresh = text.includes('{{refresh}}')
      ? (await beginSession(deps, deps.db, subject.userId)).refresh
      : '';
    const value = (name: string, at: number) => {
      if (name === 'npi') return newNpi();
      if (name === 'fresh') return `${CANARY}${++this.#serial}`;
      const list = this.#ids[name === 'own' && role !== 'poster' ? 'review' : name] ?? [];
      return String(list[at % list.length] ?? '0');
    };
    const known = new Map(
      Object.entries({ last, refresh, user: subject.userId, email: subject.email }),
    );
    return text.replace(
      /\{\{(\w+):?(\d*)\}\}/g,
      (_, name, at) => known.get(name) ?? value(name, Number(at)),
    );
  }

  /** Values that must not be logged. */
  secrets(): string[] {
    return [...this.#accounts.values()].flatMap(({ headers, refresh, email }) => [
      headers.authorization.slice(-30),
      refresh.slice(-30),
      email,
    ]);
  }

  #of(role: SignedInRole): TestAccount {
    const account = this.#accounts.get(role);
    if (!account) throw new Error(`no account for ${role}`);
    return account;
  }

  async #ownReviews(): Promise<string[]> {
    const listed = async () => {
      const { headers } = this.#of('poster');
      const answer = await this.#server.app.inject({ url: '/api/reviews/my_reviews/', headers });
      // Staff may have decided that this doctor is no longer verified.
      return answer.statusCode === 200 ? answer.json<{ id: string }[]>().map(({ id }) => id) : [];
    };
    const own = await listed();
    if (own.length >= MIN_OWN && own.length <= MAX_OWN) return own;
    await this.#write(await this.#renew('poster'));
    return listed();
  }

  /** Posts a review of every employer. */
  async #write({ headers }: TestAccount): Promise<void> {
    for (const [at, employer] of (this.#ids['employer'] ?? []).slice(0, EMPLOYERS).entries()) {
      const position_title = at % 2 ? 'Resident' : 'Hospitalist';
      const payload = reviewOf(Number(employer), { position_title, overall_rating: (at % 5) + 1 });
      await this.#server.app.inject({ method: 'POST', url: '/api/reviews/', headers, payload });
    }
  }

  /** Gives a role a new account, with a password. */
  async #renew(role: SignedInRole): Promise<TestAccount> {
    const account = await this.#create(role);
    this.#accounts.set(role, account);
    return account;
  }

  async #create(role: SignedInRole): Promise<TestAccount> {
    if (role === 'representative') {
      return signedInRepresentative(this.#server, Number(this.#ids['employer']?.[0]));
    }
    const { deps } = this.#server;
    const email = newEmail();
    const fields = { email, first_name: 'Ada', last_name: 'Example', password: PASSWORD };
    const userId =
      role === 'admin' || role === 'verifier'
        ? await addAdmin(deps, { ...fields, roles: STAFF[role] })
        : (await newDoctor({ deps }, { ...fields, profile: PROFILES[role], evidence: MATCHED })).id;
    return signedInAgain({ deps }, { userId, email });
  }
}
