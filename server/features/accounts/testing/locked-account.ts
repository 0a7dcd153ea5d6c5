import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import type { TestApp } from '#server/testing/app.ts';
import { POSTER } from '#server/testing/factories.ts';
import { addMember, bearer, type Member, PASSWORD, send } from './account-flows.ts';

type Bearer = Pick<Member, 'headers'>;

/** A member who is verified and may post. */
export const newPoster = (server: TestApp): Promise<Member> => addMember(server, {}, POSTER);

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
