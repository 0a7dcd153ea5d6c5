import { expect, test } from 'vitest';
import { replyScene } from '#server/features/reviews/replies/testing/replied-review.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, signedInDoctor, signedInRepresentative } from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';

test('lists representatives, and approves and refuses them', async () => {
  await using server = await buildTestApp();
  const run = (...args: string[]) => curbside(server, ['representatives', ...args]);
  expect((await run('list')).output).toBe('There are no representatives.\n');
  const employer = await newEmployer(server, { website: 'https://tarn.example' });
  const options = { state: 'pending', email: 'rita@tarn.example' } as const;
  const { userId } = await signedInRepresentative(server, employer, options);
  expect((await run('list')).output).toMatch(/^pending +rita@tarn\.example +Rita Speaks/);
  const approved = await run('approve', 'Rita@tarn.example', '--reason', 'Called the switchboard.');
  expect(approved).toMatchObject({ code: 0, output: expect.stringMatching(/^approved /) });
  expect(await server.deps.db.selectFrom('cases').select('id').execute()).toEqual([]);
  const refused = await run('refuse', userId, '--reason', 'Left the employer.');
  expect(refused.output).toMatch(/^refused /);
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'subject'])
    .where('subject', '=', userId)
    .execute();
  expect(acts).toContainEqual({ actor: 'cli', action: 'representative.approve', subject: userId });
  expect(acts).toContainEqual({ actor: 'cli', action: 'representative.refuse', subject: userId });
});

test('lists and refuses deleted accounts whose replies are still public', async () => {
  await using server = await buildTestApp();
  const scene = await replyScene(server);
  const { id, speaker } = await scene.reviewed();
  await scene.write(id, speaker, 'From an impostor.');
  await server.deps.db.deleteFrom('users').where('id', '=', speaker.userId).execute();
  const run = (...args: string[]) => curbside(server, ['representatives', ...args]);
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
  expect(await scene.publicText(id)).toBeUndefined();
  expect((await run('list')).output).toBe('There are no representatives.\n');
});

test('a reason is required, and a doctor is not a representative', async () => {
  await using server = await buildTestApp();
  const { email } = await signedInDoctor(server);
  const run = (...args: string[]) => curbside(server, ['representatives', ...args]);
  expect((await run('approve', email)).errors).toContain('--reason');
  expect(await run('approve', email, '--reason', 'Known.')).toMatchObject({
    code: 1,
    errors: `curbside: ${email} does not represent an employer\n`,
  });
});
