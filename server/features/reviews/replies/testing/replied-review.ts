import type { CaseFile } from '#contract/case-queue.ts';
import type { Review } from '#contract/reviews.ts';
import type { TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';

/** Reviews with replies, and actions on them. The admin is the office. */
export async function replyScene(server: TestApp) {
  const admin = await signedInAdmin(server);
  const call = (...request: ApiCall) => callApi(server, ...request);
  const posted = async (employer: number, author?: Pick<TestAccount, 'headers'>) =>
    (
      await call('POST', '/reviews/', author ?? (await signedInDoctor(server)), reviewOf(employer))
    ).json<Review>().id;
  const write = (id: string, by: TestAccount, text = 'Thank you.') =>
    call('POST', `/reviews/${id}/reply/`, by, { text });
  const caseAbout = (id: string) =>
    server.deps.db
      .selectFrom('cases')
      .selectAll()
      .where('review_id', '=', id)
      .where('kind', '=', 'reply')
      .executeTakeFirst();
  return {
    admin,
    call,
    posted,
    write,
    caseAbout,
    /** An employer with a review and a representative. */
    async reviewed(author?: Pick<TestAccount, 'headers'>) {
      const employer = await newEmployer(server);
      const id = await posted(employer, author);
      return { employer, id, speaker: await signedInRepresentative(server, employer) };
    },
    edit: (id: string, by: TestAccount, text: string) =>
      call('PATCH', `/reviews/${id}/reply/`, by, { text }),
    drop: (id: string, by: TestAccount) => call('DELETE', `/reviews/${id}/reply/`, by),
    /** The public text. */
    publicText: async (id: string) =>
      (await call('GET', `/reviews/${id}/`)).json<Review>().reply?.text,
    report: (id: string, by: Pick<TestAccount, 'headers'>) =>
      call('POST', `/reviews/${id}/reply/report/`, by, { reason: 'abusive', note: '' }),
    decide: (id: string, outcome: 'keep' | 'remove', body: object = {}) =>
      call('POST', `/admin/replies/${id}/${outcome}/`, admin, {
        ...(outcome === 'remove' && { reason: 'Asks who wrote it.', rule: 'asking_who' }),
        ...body,
      }),
    /** What a moderator sees of the case about a reply; undefined if there is none. */
    async fileAbout(id: string) {
      const open = await caseAbout(id);
      if (!open) return undefined;
      const answer = await call('GET', `/admin/cases/${open.id}/`, admin);
      if (answer.statusCode !== 200) throw new Error(`case ${open.id}: ${answer.body}`);
      return answer.json<CaseFile>().file as CaseFile['file'] & { type: 'reply' };
    },
    refuse: (userId: string) =>
      call('POST', `/admin/representatives/${userId}/refuse/`, admin, {
        reason: 'Never worked there.',
      }),
    approve: (userId: string) =>
      call('POST', `/admin/representatives/${userId}/approve/`, admin, { reason: 'Works there.' }),
    merge: (from: number, into: number) =>
      call('POST', `/admin/employers/${from}/merge/`, admin, { into }),
    undo: (from: number) =>
      call('POST', `/admin/employers/${from}/unmerge/`, admin, { reason: 'Two places.' }),
  };
}
