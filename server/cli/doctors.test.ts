import { expect, test } from 'vitest';
import { addDoctor } from '#server/features/accounts/signup/new-account.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail, newNpi, signedInAdmin } from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';

async function newDoctor({ deps }: TestApp, profile = {}, evidence = NO_EVIDENCE) {
  const email = newEmail();
  const npi = newNpi();
  const details = { email, npi, first_name: 'Ada', last_name: 'Example', password: null };
  return { id: await addDoctor(deps, { ...details, profile, evidence }), email, npi };
}

const permissions = ({ deps }: TestApp, id: string) =>
  deps.db
    .selectFrom('doctors')
    .select(['verified', 'can_post_reviews', 'verification_status'])
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();

const acts = ({ deps }: TestApp) =>
  deps.db.selectFrom('audit_log').select(['actor', 'action', 'subject', 'happened_on']).execute();

test('verifies a doctor by NPI without permission to post, and sends another mail once posting is allowed', async () => {
  await using server = await buildTestApp();
  const { id, email, npi } = await newDoctor(server, { verification_status: 'needs_review' });
  const first = await curbside(server, ['doctors', 'verify', npi]);
  expect(first).toEqual({
    code: 0,
    output: [
      'Dr. Ada Example is verified.',
      `Posting needs a separate permission: curbside doctors allow-posting ${npi}`,
      '',
    ].join('\n'),
    errors: '',
  });
  const second = await curbside(server, ['doctors', 'verify', npi]);
  expect(second.output).toContain('Dr. Ada Example is already verified.\n');
  expect(await permissions(server, id)).toEqual({
    verified: true,
    can_post_reviews: false,
    verification_status: 'passed',
  });
  await server.jobs.idle();
  expect(server.mail).toEqual([]);
  const happened_on = server.time.now.toISOString().slice(0, 10);
  expect(await acts(server)).toEqual([
    { actor: 'cli', action: 'doctor.verify', subject: id, happened_on },
  ]);
  await curbside(server, ['doctors', 'allow-posting', npi]);
  await server.jobs.idle();
  expect(server.mail.map(({ to, text }) => [to, text])).toEqual([
    [email, expect.stringContaining('You are verified')],
  ]);
});

test('changes each permission separately, by email address or account id', async () => {
  await using server = await buildTestApp();
  const { id, email } = await newDoctor(server, { verification_status: 'needs_review' });
  const allowed = await curbside(server, ['doctors', 'allow-posting', email.toUpperCase()]);
  expect(allowed.output).toBe('Dr. Ada Example is allowed to post reviews.\n');
  expect(await permissions(server, id)).toEqual({
    verified: false,
    can_post_reviews: true,
    verification_status: 'needs_review',
  });
  await curbside(server, ['doctors', 'verify', id]);
  await curbside(server, ['doctors', 'deny-posting', id]);
  expect(await permissions(server, id)).toMatchObject({ verified: true, can_post_reviews: false });
  await curbside(server, ['doctors', 'unverify', id]);
  expect(await permissions(server, id)).toEqual({
    verified: false,
    can_post_reviews: false,
    verification_status: 'needs_review',
  });
  const actions = (await acts(server)).map(({ action }) => action).sort();
  expect(actions).toEqual([
    'doctor.allow-posting',
    'doctor.deny-posting',
    'doctor.unverify',
    'doctor.verify',
  ]);
});

test('a decision overrides a registry check that is still pending', async () => {
  await using server = await buildTestApp({
    npiRegistry: {
      lookUp: async () => ({
        kind: 'person',
        active: true,
        names: [{ first: 'ADA', last: 'EXAMPLE' }],
        taxonomies: ['207R00000X'],
        practice: null,
      }),
    },
  });
  const { id, npi } = await newDoctor(server);
  await curbside(server, ['doctors', 'deny-posting', npi]);
  const { db, jobs } = server.deps;
  await jobs.enqueue(db, 'verify-npi', { userId: id });
  await server.jobs.idle();
  expect(await permissions(server, id)).toEqual({
    verified: false,
    can_post_reviews: false,
    verification_status: 'needs_review',
  });
});

test('verifying a doctor twice at the same time sends one mail', async () => {
  await using server = await buildTestApp();
  const { npi } = await newDoctor(server, {
    verification_status: 'needs_review',
    can_post_reviews: true,
  });
  await Promise.all([1, 2, 3].map(() => curbside(server, ['doctors', 'verify', npi])));
  await server.jobs.idle();
  expect(server.mail).toHaveLength(1);
  expect(await acts(server)).toHaveLength(1);
});

test('the list shows who is waiting and what the registry said', async () => {
  await using server = await buildTestApp();
  const checks = {
    known: true,
    active: true,
    individual: true,
    physician: false,
    name_matches: null,
  };
  const evidence = { ...NO_EVIDENCE, checks };
  const waiting = await newDoctor(server, { verification_status: 'needs_review' }, evidence);
  const verified = await newDoctor(server, { verified: true, can_post_reviews: true });
  const list = await curbside(server, ['doctors', 'list']);
  expect(list.output).toMatch(
    new RegExp(
      `^ACCOUNT .*\\n${waiting.id}  ${waiting.npi}  no +no +Ada Example: ` +
        'known yes, active yes, individual yes, physician no, name matches \\?\\n$',
    ),
  );
  const all = await curbside(server, ['doctors', 'list', '--all']);
  expect(all.output).toContain(verified.npi);
  expect(all.output.trim().split('\n')).toHaveLength(3);
});

test('reports an unknown doctor and an administrator, and safely prints a name with control characters', async () => {
  await using server = await buildTestApp();
  expect((await curbside(server, ['doctors', 'list'])).output).toBe('No doctor is waiting.\n');
  const { email } = await signedInAdmin(server);
  for (const who of [email, '1234567893', 'nobody@mail.example']) {
    const { code, output, errors } = await curbside(server, ['doctors', 'verify', who]);
    expect({ code, output, errors }).toEqual({
      code: 1,
      output: '',
      errors: `curbside: no doctor has the NPI, email address, or account id ${who}\n`,
    });
  }
  const details = { email: newEmail(), npi: newNpi(), last_name: 'Example', password: null };
  await addDoctor(server.deps, { ...details, first_name: '\u001b[2JAda' });
  expect((await curbside(server, ['doctors', 'list'])).output).toContain('?[2JAda Example');
});

test.each(['verify', 'unverify', 'ban', 'unban'])(
  '%s does not accept an empty reason',
  async (act) => {
    await using server = await buildTestApp();
    const { npi } = await newDoctor(server, { verification_status: 'needs_review' });
    const result = await curbside(server, ['doctors', act, npi, '--reason', ' ']);
    expect(result).toMatchObject({ code: 1, errors: expect.stringContaining('must not be empty') });
    expect(await acts(server)).toEqual([]);
  },
);
