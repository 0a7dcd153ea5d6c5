import type { Review } from '#contract/reviews/reviews.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import {
  bearer,
  type Member,
  newMember,
  send,
} from '#server/features/accounts/testing/account-flows.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInAdmin } from '#server/testing/factories.ts';
import { type Change, compare, lookAround, type View } from './observer.ts';

const EMPLOYERS = 6;

/** A small site, and an observer without keys who reads all of it before and after an action. */
export async function buildObservedSite() {
  const server = await buildTestApp();
  const employers: number[] = [];
  while (employers.length < EMPLOYERS) employers.push(await newEmployer(server));
  const admin = await signedInAdmin(server);
  const post = (path: string, payload: object = {}, who?: Pick<Member, 'headers'>) =>
    send(server, path, payload, { headers: who?.headers ?? bearer('') });
  const look = (): Promise<View> => lookAround(server, employers);

  return {
    server,
    employers,
    admin,
    look,
    /** Like `post`, but any error fails the test. */
    async do(path: string, payload: object = {}, who?: Pick<Member, 'headers'>) {
      const response = await post(path, payload, who);
      if (response.statusCode >= 300) throw new Error(`${path}: ${response.body}`);
      return response;
    },
    post,
    /** What the public can see of an action. */
    async seen(deed: () => Promise<unknown>): Promise<Change> {
      const before = await look();
      await deed();
      await server.jobs.idle();
      return compare(before, await look());
    },
    async newAuthor(): Promise<Member> {
      const member = await newMember(server);
      await this.verify(member);
      return member;
    },
    async verify({ npi }: Pick<Member, 'npi'>) {
      for (const act of ['verify', 'allow-posting']) {
        const { code, errors } = await curbside(server, ['doctors', act, npi]);
        if (code !== 0) throw new Error(errors);
      }
      await server.jobs.idle();
    },
    /** Posts a member's review of one of the employers. Returns the review's id. */
    async write(who: Pick<Member, 'headers'>, at: number, fields = {}): Promise<string> {
      const review = reviewOf(employers[at] ?? 0, fields);
      return (await this.do('/reviews/', review, who)).json<Review>().id;
    },
  };
}
export type ObservedSite = Awaited<ReturnType<typeof buildObservedSite>>;
