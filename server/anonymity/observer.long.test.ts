import { afterAll, beforeAll, expect, test } from 'vitest';
import { rewriteTables } from '#server/db/testing/rewrite.ts';
import * as accounts from '#server/features/accounts/testing/account-flows.ts';
import { lock } from '#server/features/accounts/testing/locked-account.ts';
import { reviewOf, signUp } from '#server/testing/factories.ts';
import { hurry } from '#server/testing/jobs.ts';
import { buildObservedSite, type ObservedSite } from './testing/observed-site.ts';
import { NOTHING, pathOf } from './testing/observer.ts';

const { NEW_PASSWORD, PASSWORD, linkFor, newDetails, newMember, send } = accounts;

let site: ObservedSite;
let author: accounts.Member;
/** One review by the acting member, and one by somebody else. */
let [own, foreign] = ['', ''];

beforeAll(async () => {
  site = await buildObservedSite();
  author = await site.newAuthor();
  own = await site.write(author, 0);
  foreign = await site.write(await site.newAuthor(), 0);
});
afterAll(() => site.server[Symbol.asyncDispose]());

const change = (path: string, payload: object, { headers }: Pick<accounts.Member, 'headers'>) =>
  send(site.server, path, payload, { headers, method: 'PATCH' });
const remove = ({ headers }: Pick<accounts.Member, 'headers'>, id: string) =>
  site.server.app.inject({ method: 'DELETE', url: `/api/reviews/${id}/`, headers });
const leave = (member: accounts.Member, reviews: string) =>
  site.do('/auth/delete-account/', { password: member.password, reviews }, member);

test('the observer reads every public response that depends on what members do', async () => {
  const { paths } = (await site.server.app.inject('/api/docs/json')).json<{
    paths: Record<string, { get?: { responses: object } }>;
  }>();
  const kept = Object.entries(paths).filter(([, { get }]) => get && '304' in get.responses);
  const { answers } = await site.look();
  const read = new Set([...answers.keys()].map(pathOf));
  expect(kept.map(([path]) => path).filter((path) => !read.has(path))).toEqual([]);
  expect([...answers.values()].filter(({ status }) => status !== 200)).toEqual([]);
});

/** Each entry prepares the state and returns the action to observe. */
const SILENT: Record<string, () => Promise<() => Promise<unknown>>> = {
  'signing up': async () => () => signUp(site.server, newDetails()),
  'a sign-up with a taken address': async () => () =>
    site.do('/auth/register/', {
      action: 'create_account',
      ...newDetails({ email: author.email }),
    }),
  'being verified': async () => {
    const member = await newMember(site.server);
    return () => site.verify(member);
  },
  'a login, a refresh, and a logout': async () => async () => {
    const { email, password } = author;
    const { refresh } = (await site.do('/auth/login/', { email, password })).json();
    const next = (await site.do('/auth/token/refresh/', { refresh })).json();
    await site.do('/auth/logout/', { refresh: next.refresh });
  },
  'a wrong login': async () => () =>
    site.post('/auth/login/', { email: author.email, password: NEW_PASSWORD }),
  'a new address, name, and password': async () => {
    const member = await site.newAuthor();
    await site.write(member, 1);
    return async () => {
      const email = `new-${member.email}`;
      const moved = { email, first_name: 'Adah', password: PASSWORD };
      expect((await change(`/users/${member.id}/`, moved, member)).statusCode).toBe(200);
      const { token } = await linkFor(site.server, email, '/confirm-email');
      await site.do('/auth/email/confirm/', { token });
      await site.do('/auth/password/reset/', { email });
      const link = await linkFor(site.server, email, '/password-reset');
      await site.do('/auth/password/reset/confirm/', { ...link, new_password: NEW_PASSWORD });
    };
  },
  'a report, and a moderator who rejects it': async () => async () => {
    await site.do(`/reviews/${foreign}/report/`, { reason: 'other' }, author);
    await site.do(`/admin/reviews/${foreign}/keep/`, {}, site.admin);
  },
  'a correction that a curator refuses': async () => async () => {
    const [employer] = site.employers;
    const phone = { field: 'phone', value: '(334) 555-0177' };
    const correction = { ...phone, source: 'I work there' };
    await site.do(`/employers/${employer}/corrections/`, correction, author);
    const refusal = { ...phone, today: null, reason: 'Not so' };
    await site.do(`/admin/employers/${employer}/corrections/refuse/`, refusal, site.admin);
  },
  'locking and unlocking reviews': async () => {
    const member = await site.newAuthor();
    for (const at of [2, 3]) await site.write(member, at);
    return async () => {
      const locked = await lock(site.server, member);
      await hurry(site.server.deps.database.pool);
      await site.server.jobs.idle();
      await site.do('/auth/reviews/unlock/', { password: member.password }, locked);
    };
  },
  'scheduling, editing, and taking back a review': async () => async () => {
    const id = await site.write(author, 5, { publish: 'later' });
    const edited = { ...reviewOf(0), pros: 'Fewer nights' };
    expect((await change(`/reviews/${id}/`, edited, author)).statusCode).toBe(200);
    expect((await remove(author, id)).statusCode).toBe(204);
  },
  'deleting an account and leaving its reviews': async () => {
    const member = await site.newAuthor();
    for (const at of [2, 3]) await site.write(member, at);
    return () => leave(member, 'keep');
  },
  'the nightly rewrite': async () => () => rewriteTables(site.server.deps.database.pool),
};

test.each(Object.keys(SILENT))('the public cannot see %s', async (name) => {
  const deed = await SILENT[name]?.();
  expect(await site.seen(async () => deed?.())).toEqual(NOTHING);
});

test('for each action, the public sees only the one review it is about', async () => {
  const vote = (kind: string) => site.do(`/reviews/${foreign}/${kind}/`, {}, author);
  const moderate = (act: string, payload = {}) =>
    site.do(`/admin/reviews/${foreign}/${act}/`, payload, site.admin);
  let posted = '';
  const post = async () => {
    posted = await site.write(author, 4, { position_title: 'Night Float Hospitalist' });
  };
  const edited = { ...reviewOf(0), overall_rating: 1, pros: 'Fewer nights' };
  const deeds: [string, () => Promise<unknown>, () => object][] = [
    ['a review', post, () => ({ appeared: [posted] })],
    [
      'an edit',
      () => change(`/reviews/${own}/`, edited, author),
      () => ({ changed: new Map([[own, ['overall_rating', 'pros']]]) }),
    ],
    ['a vote', () => vote('helpful'), () => ({ changed: new Map([[foreign, ['helpful_count']]]) })],
    [
      'a changed vote',
      () => vote('not-helpful'),
      () => ({ changed: new Map([[foreign, ['helpful_count']]]) }),
    ],
    [
      'a removal',
      () => moderate('remove', { reason: 'Not a review' }),
      () => ({ vanished: [foreign] }),
    ],
    ['a restored review', () => moderate('restore'), () => ({ appeared: [foreign] })],
    ['a deletion', () => remove(author, posted), () => ({ vanished: [posted] })],
  ];
  for (const [name, deed, expected] of deeds) {
    const { paths, ...seen } = await site.seen(deed);
    const { paths: _, ...nothing } = NOTHING;
    expect(seen, name).toEqual({ ...nothing, ...expected() });
    expect(paths, name).not.toContain('/api/position-titles/');
  }
});
