import type { Review } from '#contract/reviews.ts';
import type { TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';

type Signed = Pick<TestAccount, 'headers'>;

/** Reviews with replies, and actions on them. The admin is the office. */
export async function replyScene(server: TestApp) {
  const admin = await signedInAdmin(server);
  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { headers }: Signed,
    payload?: object,
  ) => server.app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) });
  return {
    admin,
    call,
    /** An employer with a review and a representative. */
    async reviewed(author: Signed) {
      const employer = await newEmployer(server);
      const { id } = (await call('POST', '/reviews/', author, reviewOf(employer))).json<Review>();
      return { employer, id, speaker: await signedInRepresentative(server, employer) };
    },
    write: (id: string, by: TestAccount, text: string) =>
      call('POST', `/reviews/${id}/reply/`, by, { text }),
    report: (id: string, by: Signed) =>
      call('POST', `/reviews/${id}/reply/report/`, by, { reason: 'abusive', note: '' }),
    decide: (id: string, outcome: 'keep' | 'remove') =>
      call('POST', `/admin/replies/${id}/${outcome}/`, admin, {
        ...(outcome === 'remove' && { reason: 'Asks who wrote it.', rule: 'asking_who' }),
      }),
  };
}
