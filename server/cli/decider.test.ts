import { expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import type { Review } from '#contract/reviews.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInAdmin,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';

const send = ({ app }: TestApp, url: string, { headers }: TestAccount, payload: object) =>
  app.inject({ method: 'POST', url: `/api${url}`, headers, payload });
const refused = (message: string) => ({ code: 1, errors: `curbside: ${message}\n` });

async function posted(server: TestApp) {
  const author = await signedInDoctor(server);
  const answer = await send(server, '/reviews/', author, reviewOf(await newEmployer(server)));
  return { author, id: answer.json<Review>().id };
}

const actorsOf = async ({ deps }: TestApp, subject: string) => {
  const acts = await deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('subject', '=', subject)
    .where('action', '<>', 'appeal.receive')
    .orderBy('action')
    .execute();
  return acts.map(({ actor, action }) => [action, actor]);
};

test('with several moderators, a command names the one who decides, and another one answers the appeal', async () => {
  await using server = await buildTestApp();
  const [first, second] = [await signedInAdmin(server), await signedInAdmin(server, ['moderator'])];
  const curator = await signedInAdmin(server, ['curator']);
  const { author, id } = await posted(server);
  const run = (...args: string[]) => curbside(server, ['reviews', ...args]);
  const removal = ['remove', id, '--reason', 'Off topic.'];
  expect(await run(...removal)).toMatchObject(
    refused('there are several moderators. Say who decides: --as EMAIL'),
  );
  expect(await run(...removal, '--as', curator.email)).toMatchObject(
    refused(`no moderator has the email address ${curator.email}`),
  );
  expect(await run(...removal, '--as', first.email)).toMatchObject({ code: 0 });
  await send(server, `/reviews/${id}/appeal/`, author, { text: 'It is about the work.' });
  const answer = { outcome: 'uphold', answer: 'No.' };
  expect((await send(server, `/admin/reviews/${id}/appeal/`, first, answer)).json()).toMatchObject({
    code: 'own_decision',
  });
  const overturned = ['overturn', id, '--answer', 'You are right.', '--as'];
  expect(await run(...overturned, first.email)).toMatchObject(refused(ERRORS.own_decision.text));
  expect(await run(...overturned, second.email)).toMatchObject({ code: 0 });
  expect(await actorsOf(server, id)).toEqual([
    ['appeal.overturn', second.userId],
    ['review.remove', first.userId],
  ]);
});

test('commands decide as the only moderator, and leave the appeal to a later one', async () => {
  await using server = await buildTestApp();
  const only = await signedInAdmin(server);
  const { author, id } = await posted(server);
  const { code } = await curbside(server, ['reviews', 'remove', id, '--reason', 'Off topic.']);
  expect(code).toBe(0);
  expect(await actorsOf(server, id)).toEqual([['review.remove', only.userId]]);
  await send(server, `/reviews/${id}/appeal/`, author, { text: 'It is about the work.' });
  const later = await signedInAdmin(server, ['moderator']);
  const answer = { outcome: 'overturn', answer: 'You are right.' };
  const path = `/admin/reviews/${id}/appeal/`;
  expect((await send(server, path, only, answer)).json().code).toBe('own_decision');
  expect((await send(server, path, later, answer)).statusCode).toBe(200);
});
