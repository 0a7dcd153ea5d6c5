import { expect } from 'vitest';
import { replyEndpoints } from '#contract/endpoints/replies.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { testWith } from '#server/testing/site.ts';
import { curbside } from './testing/curbside.ts';

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
  const cases = site.deps.db.selectFrom('cases').select('id').where('account_id', '=', userId);
  expect(await cases.execute()).toEqual([]);
  const refused = await run('refuse', userId, '--reason', 'Left the employer.');
  expect(refused.output).toMatch(/^refused /);
  const acts = await site.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('subject', '=', userId)
    .execute();
  expect(acts).toContainEqual({ actor: 'cli', action: 'representative.approve' });
  expect(acts).toContainEqual({ actor: 'cli', action: 'representative.refuse' });
});

test('lists and refuses deleted accounts whose replies are still public', async ({ site, run }) => {
  const review = await site.review();
  const speaker = await site.representative(review.employer.id);
  const at = { params: { id: review.id } };
  await site.as(speaker).post(replyEndpoints.create, { text: 'From an impostor.' }, at);
  await site.deps.db.deleteFrom('users').where('id', '=', speaker.userId).execute();
  expect((await run('list')).output).toMatch(
    new RegExp(`^deleted {3}${speaker.userId} {2}Hospital \\d+ {2}replies: 1\\n$`),
  );
  const reason = ['--reason', 'Never worked there.'];
  expect((await run('approve', speaker.userId, ...reason)).errors).toBe(
    'curbside: there is no such representative\n',
  );
  expect((await run('refuse', speaker.userId, ...reason)).output).toBe(
    `${speaker.userId}: the replies are deleted.\n`,
  );
  expect((await site.visitor().get(reviewEndpoints.read, at)).body.reply).toBeUndefined();
  expect((await run('list')).output).toBe('There are no representatives.\n');
});

test('a reason is required, and a doctor is not a representative', async ({ site, run }) => {
  const { email } = await site.doctor();
  expect((await run('approve', email)).errors).toContain('--reason');
  expect(await run('approve', email, '--reason', 'Known.')).toMatchObject({
    code: 1,
    errors: `curbside: ${email} does not represent an employer\n`,
  });
});
