import { replyEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { logOf } from '#server/testing/factories.ts';
import { at, expect, testWith } from '#server/testing/site.ts';
import { curbside, expectRefusal } from './testing/curbside.ts';

/** Each test begins without accounts. */
const test = testWith().extend('run', async ({ site }) => {
  await site.deps.db.deleteFrom('users').execute();
  return (...args: string[]) => curbside(site, ['representatives', ...args]);
});

test('lists representatives, and approves and refuses them', async ({ site, run }) => {
  expect((await run('list')).output).toBe('There are no representatives.\n');
  const employer = await site.employer({ website: 'https://tarn.example' });
  const details = { state: 'pending', email: 'rita@tarn.example' } as const;
  const { userId } = await site.representative(employer, details);
  expect((await run('list')).output).toMatch(/^pending +rita@tarn\.example +Rita Speaks/);
  const approved = await run('approve', 'Rita@tarn.example', '--reason', 'Called the switchboard.');
  expect(approved).toMatchObject({ code: 0, output: expect.stringMatching(/^approved /) });
  expect(await site.rows('cases', { account_id: userId })).toEqual([]);
  const refused = await run('refuse', userId, '--reason', 'Left the employer.');
  expect(refused.output).toMatch(/^refused /);
  expect(await logOf(site, userId, 'actor', 'action')).toMatchObject(
    ['approve', 'refuse'].map((act) => ({ actor: 'cli', action: `representative.${act}` })),
  );
});

test('lists and refuses deleted accounts whose replies are still public', async ({ site, run }) => {
  const { id, employer } = await site.review();
  const { userId, headers } = await site.representative(employer.id);
  await site.as({ headers }).post(replyEndpoints.create, { text: 'From an impostor.' }, at(id));
  await site.deps.db.deleteFrom('users').where('id', '=', userId).execute();
  const listed = new RegExp(`^deleted {3}${userId} {2}Hospital \\d+ {2}replies: 1\\n$`);
  expect((await run('list')).output).toMatch(listed);
  const reason = ['--reason', 'Never worked there.'];
  await expectRefusal(run('approve', userId, ...reason), 'there is no such representative');
  const refused = await run('refuse', userId, ...reason);
  expect(refused.output).toBe(`${userId}: the replies are deleted.\n`);
  expect((await site.visitor().get(reviewEndpoints.read, at(id))).body.reply).toBeUndefined();
  expect((await run('list')).output).toBe('There are no representatives.\n');
});

test('a reason is required, and a doctor is not a representative', async ({ site, run }) => {
  const { email } = await site.doctor();
  expect((await run('approve', email)).errors).toContain('--reason');
  const known = run('approve', email, '--reason', 'Known.');
  await expectRefusal(known, `${email} does not represent an employer`);
});
