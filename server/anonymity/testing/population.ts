import type { LoginResponse } from '#contract/accounts.ts';
import { VOTES, type Vote } from '#contract/feedback.ts';
import type { OwnReview, Review } from '#contract/reviews.ts';
import { insertDoctor } from '#server/features/accounts/new-doctor.ts';
import { hashPassword } from '#server/features/accounts/passwords.ts';
import { beginSession } from '#server/features/accounts/sessions.ts';
import { publishDue } from '#server/features/reviews/publishing.ts';
import type { TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  newNpi,
  POSTER,
  reviewOf,
  signedInAdmin,
  signUp,
} from '#server/testing/factories.ts';
import type { Random } from './random.ts';

export interface Person {
  email: string;
  first_name: string;
  last_name: string;
  npi: string;
  password: string;
}

interface Member extends Person {
  userId: string;
  access: string;
  refresh: string;
  /** When the access token ends. */
  until: number;
}

/** What really happened: the matcher is told none of it. */
export interface Population {
  readonly people: readonly Person[];
  /** Who joined, in that order, and when. */
  readonly joined: readonly { readonly userId: string; readonly at: Date }[];
  /** Review -> account; likewise for votes and reports, as `review/account` pairs. */
  readonly authors: ReadonlyMap<string, string>;
  /** Likewise for reviews that are still scheduled. */
  readonly scheduled: ReadonlyMap<string, string>;
  readonly votes: readonly { readonly reviewId: string; readonly userId: string }[];
}

const SIZE = 200;
/** So many sign up through the API, with a code and a password; the rest without the slow hash. */
const THROUGH_API = 30;
const MINUTE_MS = 60_000;
const TOKEN_MS = 14 * MINUTE_MS;
/** All happens on one day: from just after midnight, a few minutes apart. */
const SPAN_MINUTES = 1380;

export function newPeople(random: Random): Person[] {
  // New NPIs come in ascending order; who joins when has nothing to do with theirs.
  const npis = random.shuffled(Array.from({ length: SIZE }, newNpi));
  return npis.map((npi) => ({
    email: `${random.letters(12)}@${random.letters(9)}.example`,
    first_name: `${random.letters(1).toUpperCase()}${random.letters(8)}`,
    last_name: `${random.letters(1).toUpperCase()}${random.letters(9)}`,
    npi,
    password: `${random.letters(8)}-A1`,
  }));
}

const voteUrl = (reviewId: string, kind: Vote) =>
  `/reviews/${reviewId}/${kind === 'helpful' ? 'helpful' : 'not-helpful'}/`;

/**
 * Two hundred doctors join and write, mostly soon after joining, among log-ins, refreshes, edits,
 * votes, reports, removals and deletions.
 */
export async function populate(
  server: TestApp,
  people: readonly Person[],
  random: Random,
): Promise<Population> {
  const { app, deps, time } = server;
  const midnight = new Date(`${time.now.toISOString().slice(0, 10)}T00:05:00Z`).getTime();
  time.now = new Date(midnight);
  const cheapHash = await hashPassword('shared-by-those-who-never-log-in');
  const employers: number[] = [];
  for (let at = 0; at < 25; at += 1) employers.push(await newEmployer(server));

  const members: Member[] = [];
  const joined: { userId: string; at: Date }[] = [];
  const authors = new Map<string, string>();
  const scheduled = new Map<string, string>();
  const votes: { reviewId: string; userId: string; kind: Vote }[] = [];

  const keep = (person: Person, { access, refresh }: LoginResponse | Tokens, userId: string) => {
    const member = { ...person, userId, access, refresh, until: time.now.getTime() + TOKEN_MS };
    members.push(member);
    return member;
  };
  const request = async (
    member: Member,
    method: 'POST' | 'PATCH' | 'DELETE' | 'GET',
    url: string,
    payload?: object,
  ) => {
    if (time.now.getTime() > member.until) await renew(member);
    const headers = { authorization: `Bearer ${member.access}` };
    return app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  };
  const renew = async (member: Member) => {
    const url = '/api/auth/token/refresh/';
    const response = await app.inject({
      method: 'POST',
      url,
      payload: { refresh: member.refresh },
    });
    Object.assign(member, response.json(), { until: time.now.getTime() + TOKEN_MS });
  };

  const join = async (person: Person, at: number) => {
    if (at % Math.floor(SIZE / THROUGH_API) === 0) {
      const response = await signUp(server, person);
      await server.jobs.idle();
      joined.push({ userId: response.user.id, at: time.now });
      return keep(person, response, response.user.id);
    }
    // As a sign-up does it, in one transaction, with the doctor verified at once.
    return deps.db.transaction().execute(async (trx) => {
      const userId = await insertDoctor(deps, trx, person, cheapHash, POSTER);
      if (!userId) throw new Error('taken');
      joined.push({ userId, at: time.now });
      return keep(person, await beginSession(deps, trx, userId), userId);
    });
  };
  const write = async (member: Member, fields: object = {}) => {
    const review = reviewOf(random.pick(employers), {
      overall_rating: 1 + random.below(5),
      position_title: `Position ${random.below(9)}`,
      review_text: Array.from({ length: 40 }, () => random.letters(5)).join(' '),
      ...fields,
    });
    const response = await request(member, 'POST', '/reviews/', review);
    if (response.statusCode !== 201) return;
    const { id, status } = response.json<Partial<OwnReview> & Review>();
    (status === 'scheduled' ? scheduled : authors).set(id, member.userId);
  };
  /** Every few minutes, as on a server that is busy. */
  const publish = async () => {
    await publishDue(deps)();
    const waiting = await deps.db.selectFrom('scheduled_reviews').select('id').execute();
    const still = new Set(waiting.map(({ id }) => id));
    for (const id of scheduled.keys()) if (!still.has(id)) goesLive(id);
  };
  const goesLive = (id: string) => {
    authors.set(id, scheduled.get(id) ?? '');
    scheduled.delete(id);
  };
  const idsOf = (member: Member, among: ReadonlyMap<string, string>) =>
    [...among].filter(([, userId]) => userId === member.userId).map(([id]) => id);
  const own = (member: Member) => idsOf(member, authors);
  const others = (member: Member) =>
    [...authors].filter(([, userId]) => userId !== member.userId).map(([id]) => id);

  /** What someone who is there already may do next, more often the more often it stands here. */
  const deeds: Record<string, (member: Member) => Promise<unknown>> = {
    refresh: renew,
    async logIn(member) {
      if (member.password === '') return;
      const url = '/api/auth/login/';
      const { email, password } = member;
      const response = await app.inject({ method: 'POST', url, payload: { email, password } });
      if (response.statusCode === 200) Object.assign(member, response.json());
    },
    write: (member) => write(member),
    schedule: (member) => write(member, { publish: 'later' }),
    async editScheduled(member) {
      const [id] = idsOf(member, scheduled);
      if (id) await request(member, 'PATCH', `/reviews/${id}/`, reviewOf(0, { cons: 'Edited' }));
    },
    async publishNow(member) {
      const [id] = idsOf(member, scheduled);
      if (!id) return;
      const response = await request(member, 'POST', `/reviews/${id}/publish/`);
      if (response.statusCode === 200) goesLive(id);
    },
    async takeBack(member) {
      const [id] = idsOf(member, scheduled);
      if (!id) return;
      const response = await request(member, 'DELETE', `/reviews/${id}/`);
      if (response.statusCode === 204) scheduled.delete(id);
    },
    async edit(member) {
      const [id] = own(member);
      if (id) {
        await request(member, 'PATCH', `/reviews/${id}/`, {
          ...reviewOf(0, { position_title: `Position ${random.below(9)} again` }),
          review_text: `Edited: ${random.letters(60)}`,
        });
      }
    },
    async vote(member) {
      const reviewId = random.pick(others(member));
      const kind = random.pick(VOTES);
      const { userId } = member;
      const response = await request(member, 'POST', voteUrl(reviewId, kind));
      if (response.statusCode !== 200) return;
      const before = votes.find((vote) => vote.reviewId === reviewId && vote.userId === userId);
      if (before) before.kind = kind;
      else votes.push({ reviewId, userId, kind });
    },
    async turnVote(member) {
      const vote = votes.find(({ userId }) => userId === member.userId);
      if (!vote) return;
      vote.kind = vote.kind === 'helpful' ? 'not_helpful' : 'helpful';
      await request(member, 'POST', voteUrl(vote.reviewId, vote.kind));
    },
    async unvote(member) {
      const at = votes.findIndex(({ userId }) => userId === member.userId);
      const [vote] = at >= 0 ? votes.splice(at, 1) : [];
      if (vote) await request(member, 'DELETE', voteUrl(vote.reviewId, vote.kind));
    },
    report: (member) =>
      request(member, 'POST', `/reviews/${random.pick(others(member))}/report/`, {
        reason: 'other',
        note: random.letters(20),
      }),
    async remove(member) {
      const [id, ...more] = own(member);
      if (!id || more.length === 0) return;
      await request(member, 'DELETE', `/reviews/${id}/`);
      authors.delete(id);
    },
    forget: (member) =>
      app.inject({
        method: 'POST',
        url: '/api/auth/password/reset/',
        payload: { email: member.email },
      }),
    async moderate() {
      const { headers } = await signedInAdmin(server);
      const url = `/api/admin/reviews/${random.pick([...authors.keys()])}/keep/`;
      await app.inject({ method: 'POST', url, headers });
    },
  };
  const often = [
    ...Array<string>(4).fill('refresh'),
    ...Array<string>(2).fill('logIn'),
    ...Array<string>(5).fill('write'),
    ...Array<string>(5).fill('edit'),
    ...Array<string>(14).fill('schedule'),
    ...Array<string>(2).fill('editScheduled'),
    'publishNow',
    'takeBack',
    ...Array<string>(10).fill('vote'),
    ...Array<string>(4).fill('turnVote'),
    ...Array<string>(2).fill('unvote'),
    ...Array<string>(3).fill('report'),
    ...Array<string>(2).fill('remove'),
    'forget',
    'moderate',
  ];

  const plan: { minute: number; run: () => Promise<unknown> }[] = [];
  for (const [at, person] of people.entries()) {
    const minute = (at / SIZE) * SPAN_MINUTES + random.next() * 5;
    let member: Member | undefined;
    plan.push({ minute, run: async () => (member = await join(person, at)) });
    // Most write at once; some only read.
    if (random.next() < 0.9) {
      const soon = minute + 0.5 + random.next() * 12;
      plan.push({ minute: soon, run: async () => member && write(member) });
    }
  }
  for (let at = 0; at < 900; at += 1) {
    const deed = deeds[random.pick(often)];
    const minute = 30 + random.next() * (SPAN_MINUTES - 30);
    plan.push({ minute, run: async () => deed?.(random.pick(members)) });
  }
  for (let minute = 0; minute < SPAN_MINUTES; minute += 5) plan.push({ minute, run: publish });
  for (const { minute, run } of plan.sort((a, b) => a.minute - b.minute)) {
    time.now = new Date(midnight + minute * MINUTE_MS);
    await run();
  }
  await server.jobs.idle();
  return { people, joined, authors, scheduled, votes };
}

interface Tokens {
  access: string;
  refresh: string;
}
