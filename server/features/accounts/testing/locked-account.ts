import { newRecoveryCode } from '#contract/recovery-code.ts';
import type { Review } from '#contract/reviews.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf } from '#server/testing/factories.ts';
import { bearer, logIn, type Member, newMember, PASSWORD, send } from './account-flows.ts';

type Bearer = Pick<Member, 'headers'>;

export async function newPoster(server: TestApp): Promise<Member> {
  const member = await newMember(server);
  await verify(server, member);
  return member;
}

/** Sets the permissions directly in the database. */
export async function verify(server: TestApp, member: Member): Promise<void> {
  await server.deps.db
    .updateTable('doctors')
    .set({ verified: true, can_post_reviews: true })
    .where('user_id', '=', member.id)
    .execute();
}

export async function post(server: TestApp, member: Bearer, employer?: number): Promise<Review> {
  const review = reviewOf(employer ?? (await newEmployer(server)));
  const answer = await send(server, '/reviews/', review, member);
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json();
}

export async function ownIds({ app }: TestApp, { headers }: Bearer): Promise<string[]> {
  const answer = await app.inject({ url: '/api/reviews/my_reviews/', headers });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer
    .json<Review[]>()
    .map(({ id }) => id)
    .toSorted();
}

export const isLocked = async ({ app }: TestApp, { headers }: Bearer): Promise<boolean> =>
  (await app.inject({ url: '/api/auth/reviews/lock/', headers })).json().locked;

/** Sends a request to lock reviews, with a new recovery code by default. */
export const askToLock = (
  server: TestApp,
  member: Bearer,
  { password = PASSWORD, recovery_code = newRecoveryCode() } = {},
) => send(server, '/auth/reviews/lock/', { password, recovery_code }, member);

/** Locks reviews. Returns the member with the tokens of the new session, and the recovery code. */
export async function lock<M extends Bearer>(server: TestApp, member: M) {
  const code = newRecoveryCode();
  const answer = await askToLock(server, member, { recovery_code: code });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  const { access, refresh } = answer.json();
  return { ...member, access, refresh, headers: bearer(access), code };
}

/** The same member on another device. */
export async function onAnotherDevice<M extends Member>(
  server: TestApp,
  member: M,
  password: string = PASSWORD,
): Promise<M> {
  const { access, refresh } = (await logIn(server, member.email, password)).json();
  return { ...member, access, refresh, headers: bearer(access) };
}
