import { beginSession } from '#server/features/accounts/session/sessions.ts';
import { addAdmin, addDoctor } from '#server/features/accounts/signup/new-account.ts';
import { PASSWORD } from '#server/features/accounts/testing/account-flows.ts';
import type { TestApp } from '#server/testing/app.ts';
import {
  newEmail,
  newEmployer,
  newNpi,
  POSTER,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';
import { MATCHED } from '#server/testing/matched-doctor.ts';
import { GARBAGE_TOKENS, type Role } from './roles.ts';
import type { Story } from './story.ts';

const HOUR_MS = 3_600_000;

/** The roles that one person can have, and the one that must be separate. */
const STAFF = {
  admin: ['owner', 'moderator', 'curator', 'auditor'],
  verifier: ['verifier'],
} as const;
const PROFILES = { pending: {}, readonly: { verified: true }, poster: POSTER };
export type SignedInRole = keyof typeof PROFILES | keyof typeof STAFF | 'representative';

/** The accounts of the roles. */
export class Accounts {
  readonly #server: TestApp;
  readonly #byRole = new Map<SignedInRole, TestAccount>();
  #expired = '';
  #garbage = 0;

  private constructor(server: TestApp) {
    this.#server = server;
  }

  static async open(server: TestApp): Promise<Accounts> {
    const accounts = new Accounts(server);
    const { userId } = await accounts.create('poster');
    const hourAgo = () => new Date(server.time.now.getTime() - HOUR_MS);
    const { db } = server.deps;
    const { access } = await beginSession({ ...server.deps, clock: hourAgo }, db, userId);
    accounts.#expired = `Bearer ${access}`;
    const roles = ['pending', 'readonly', 'poster', 'admin', 'verifier', 'representative'] as const;
    for (const role of roles) await accounts.renew(role);
    return accounts;
  }

  /** Gives a role a new account. */
  async renew(role: SignedInRole): Promise<TestAccount> {
    const account = await this.create(role);
    this.#byRole.set(role, account);
    return account;
  }

  /** The roles whose accounts lost their session or were deleted. */
  async signedOut(): Promise<SignedInRole[]> {
    const lost: SignedInRole[] = [];
    for (const [role, { headers }] of this.#byRole) {
      const answer = await this.#server.app.inject({ url: '/api/auth/user/', headers });
      if (answer.statusCode !== 200) lost.push(role);
    }
    return lost;
  }

  of(role: SignedInRole): TestAccount {
    const account = this.#byRole.get(role);
    if (!account) throw new Error(`no account for ${role}`);
    return account;
  }

  /** The `Authorization` header of a role; empty for a role that is signed out. */
  async authorization(role: Role, story: Story): Promise<string> {
    switch (role) {
      case 'signed-out':
        return '';
      case 'expired':
        return this.#expired;
      case 'garbage':
        this.#garbage += 1;
        return GARBAGE_TOKENS[this.#garbage % GARBAGE_TOKENS.length] ?? '';
      case 'member':
      case 'officer':
        return (await this.#member(story, role)).headers.authorization;
      default:
        return this.of(role).headers.authorization;
    }
  }

  isSignedIn(role: Role): role is SignedInRole {
    return this.#byRole.has(role as SignedInRole);
  }

  /** The account whose ids and addresses this role's request contains. */
  async subject(role: Role, story: Story): Promise<TestAccount> {
    if (role === 'member' || role === 'officer' || story.member) return this.#member(story, role);
    return this.of(this.isSignedIn(role) ? role : 'poster');
  }

  /** An unused refresh token. */
  async refreshToken({ userId }: TestAccount): Promise<string> {
    const { deps } = this.#server;
    return (await beginSession(deps, deps.db, userId)).refresh;
  }

  /** Values that must not be logged. */
  secrets(): string[] {
    return [...this.#byRole.values()].flatMap(({ headers, refresh, email }) => [
      headers.authorization.slice(-30),
      refresh.slice(-30),
      email,
    ]);
  }

  /** Creates an account when the story first needs one. */
  async #member(story: Story, role: Role): Promise<TestAccount> {
    story.member ??= await this.create(role === 'officer' ? 'admin' : 'poster');
    return story.member;
  }

  async create(role: SignedInRole): Promise<TestAccount> {
    if (role === 'representative') {
      return signedInRepresentative(this.#server, await newEmployer(this.#server));
    }
    const { deps } = this.#server;
    const email = newEmail();
    const details = { email, first_name: 'Ada', last_name: 'Example', password: PASSWORD };
    const userId =
      role === 'admin' || role === 'verifier'
        ? await addAdmin(deps, { ...details, roles: STAFF[role] })
        : await addDoctor(deps, {
            ...details,
            npi: newNpi(),
            profile: PROFILES[role],
            evidence: MATCHED,
          });
    const { access, refresh } = await beginSession(deps, deps.db, userId);
    return { userId, email, refresh, headers: { authorization: `Bearer ${access}` } };
  }
}
