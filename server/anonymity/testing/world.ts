import type { LoginResponse, Tokens } from '#contract/accounts/accounts.ts';
import { VOTES, type Vote } from '#contract/reviews/review-feedback.ts';
import type { Secrets } from '#server/anonymity/keys.ts';
import { hashPassword } from '#server/features/accounts/credentials/passwords.ts';
import { insertDoctor } from '#server/features/accounts/identity/account-writes.ts';
import { beginSession } from '#server/features/accounts/session/sessions.ts';
import type { TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  POSTER,
  signedInAdmin,
  signedInRepresentative,
  signUp,
} from '#server/testing/factories.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';

export interface Member {
  /** The member's own record, updated in place. */
  readonly person: Person;
  readonly userId: string;
  access: string;
  refresh: string;
  /** When the access token expires. */
  until: number;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

const TOKEN_MS = 14 * 60_000;
const EMPLOYERS = 25;
/**
 * One in this many signs up through the API with code and password. The rest skip the slow hash.
 */
const THROUGH_API = 6;

export const voteUrl = (reviewId: string, kind: Vote) =>
  `/reviews/${reviewId}/${kind === 'helpful' ? 'helpful' : 'not-helpful'}/`;

const detailsOf = ({ email, first_name, last_name, npi, password }: Person) => ({
  email,
  first_name,
  last_name,
  npi,
  password,
});

/** A server with employers and an administrator, and a record of what really happens on it. */
export async function openWorld(server: TestApp, random: Random) {
  const { app, deps, time } = server;
  const sharedPassword = 'Shared-by-most-1';
  const sharedHash = await hashPassword(deps, sharedPassword);
  const employers: number[] = [];
  while (employers.length < EMPLOYERS) employers.push(await newEmployer(server));
  const admin = await signedInAdmin(server);
  /** An account that represents each employer. */
  const speakers: { employer: number; userId: string }[] = [];
  for (const employer of employers) {
    const { userId } = await signedInRepresentative(server, employer);
    speakers.push({ employer, userId });
  }

  const members: Member[] = [];
  const joined: { userId: string; person: Person; at: Date }[] = [];
  /** Review -> the account of its author. */
  const authors = new Map<string, string>();
  /** Scheduled review -> the account of its author. */
  const scheduled = new Map<string, string>();
  const votes: { reviewId: string; userId: string; kind: Vote }[] = [];
  const reports: { reviewId: string; userId: string }[] = [];
  /** Reviews with a reply, and the reporters of one. */
  const replied = new Set<string>();
  const replyReports: { reviewId: string; userId: string }[] = [];
  /** Accounts with locked reviews -> when they were locked. */
  const lockedAt = new Map<string, Date>();
  /** The reviews that each deleted account left behind. */
  const leftBehind: string[][] = [];
  /** Members who left reviews behind, these reviews, and the new account of those who returned. */
  const departed: { person: Person; ids: string[]; now?: string }[] = [];
  /** Accounts that lost their NPI to someone who proved it. */
  const losers: string[] = [];

  const send = (
    from: Pick<Person, 'address'>,
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers = {},
  ) => {
    const remoteAddress = from.address;
    return app.inject({
      method,
      url: `/api${url}`,
      headers,
      remoteAddress,
      ...(payload && { payload }),
    });
  };
  const hold = (member: Member, { access, refresh }: Tokens) =>
    Object.assign(member, { access, refresh, until: time.now.getTime() + TOKEN_MS });
  const renew = async (member: Member) => {
    const { refresh } = member;
    hold(member, (await send(member.person, 'POST', '/auth/token/refresh/', { refresh })).json());
  };
  const keep = (person: Person, userId: string, tokens: Tokens) => {
    const member = hold({ person, userId, access: '', refresh: '', until: 0 }, tokens);
    members.push(member);
    joined.push({ userId, person, at: time.now });
    return member;
  };

  return {
    server,
    random,
    employers,
    members,
    joined,
    authors,
    scheduled,
    votes,
    reports,
    speakers,
    replied,
    replyReports,
    lockedAt,
    leftBehind,
    departed,
    losers,
    /** The server's secrets. Rotations change them. */
    secrets: deps.config.secrets as Secrets,
    send,
    hold,
    renew,

    /** Sends a request as a member. */
    async request(member: Member, ...what: ['POST' | 'PATCH' | 'DELETE', string, object?]) {
      if (time.now.getTime() > member.until) await renew(member);
      const [method, url, payload] = what;
      const headers = { authorization: `Bearer ${member.access}` };
      return send(member.person, method, url, payload, headers);
    },
    /** Replies to a review as its employer's representative. */
    async reply(userId: string, reviewId: string, text: string) {
      const { access } = await beginSession(deps, deps.db, userId);
      const headers = { authorization: `Bearer ${access}` };
      const url = `/reviews/${reviewId}/reply/`;
      const answer = await send({ address: '192.0.2.2' }, 'POST', url, { text }, headers);
      if (answer.statusCode === 201) replied.add(reviewId);
    },
    /** Sends a request as the administrator. */
    async administer(url: string, payload?: object) {
      const { access } = await beginSession(deps, deps.db, admin.userId);
      const headers = {
        authorization: `Bearer ${access}`,
        ...(Buffer.isBuffer(payload) && { 'content-type': 'application/octet-stream' }),
      };
      return send({ address: '192.0.2.1' }, 'POST', `/admin${url}`, payload, headers);
    },

    async join(person: Person, at: number): Promise<Member> {
      if (at % THROUGH_API === 0) {
        const response: LoginResponse = await signUp(server, detailsOf(person));
        await server.jobs.idle();
        return keep(person, response.user.id, response);
      }
      // Inserts a verified doctor, and then a session, as a signup does.
      person.password = sharedPassword;
      const userId = await insertDoctor(deps, deps.db, person, sharedHash, { profile: POSTER });
      if (!userId) throw new Error('taken');
      return keep(person, userId, await beginSession(deps, deps.db, userId));
    },

    own: ({ userId }: Member, among = authors) =>
      [...among].filter(([, id]) => id === userId).map(([id]) => id),
    others: ({ userId }: Member) =>
      [...authors].filter(([, id]) => id !== userId).map(([id]) => id),
    anyVote: () => random.pick(VOTES),
  };
}
