import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoginResponse } from '#contract/accounts.ts';
import type { Case, CaseFile } from '#contract/case-queue.ts';
import type { Representative } from '#contract/representatives.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { type ApiCall, callApi } from '#server/testing/call-api.ts';
import {
  newEmail,
  newEmployer,
  signedInAdmin,
  signedInDoctor,
  signedInRepresentative,
  type TestAccount,
} from '#server/testing/factories.ts';
import { codeFor, PASSWORD, refusalOf } from '../testing/account-flows.ts';

let server: TestApp;
let curator: TestAccount;
let moderator: TestAccount;
let employer: number;

beforeAll(async () => {
  server = await buildTestApp();
  curator = await signedInAdmin(server, ['owner', 'curator']);
  moderator = await signedInAdmin(server, ['moderator']);
  employer = await newEmployer(server, { website: 'https://www.stluke.example/about' });
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (...request: ApiCall) => callApi(server, ...request);

let serial = 0;
const detailsAt = (domain: string) => {
  serial += 1;
  return {
    email: `rita${serial}@${domain}`,
    first_name: 'Rita',
    last_name: `Speaks${serial}`,
    work_title: 'Chief of staff',
    employer,
    password: PASSWORD,
  };
};
const register = (payload: object) =>
  call('POST', '/auth/register/representative/', undefined, payload);

async function signedUp(details = detailsAt('mail.stluke.example')) {
  await register({ action: 'create_account', ...details });
  const otp_code = await codeFor(server, details.email);
  const answer = await register({ action: 'verify_otp', ...details, otp_code });
  expect(answer.statusCode, answer.body).toBe(200);
  const { access, user, doctor } = answer.json<LoginResponse>();
  return { details, user, doctor, headers: { authorization: `Bearer ${access}` } };
}

const caseOf = async (lastName: string) => {
  const { results } = (
    await call('GET', '/admin/cases/?kind=representative&page_size=50', curator)
  ).json<{ results: Case[] }>();
  return results.find(({ title }) => title === `Rita ${lastName}`);
};
const decide = (decision: string, id: string, body: object, by = curator) =>
  call('POST', `/admin/representatives/${id}/${decision}/`, by, body);
const own = async (account: Pick<TestAccount, 'headers'>) =>
  (await call('GET', '/representatives/me/', account)).json<Representative>();

test('a representative signs up with a confirmed mailbox, and waits for a curator', async () => {
  const { details, user, doctor, ...account } = await signedUp();
  expect(user).toMatchObject({ is_representative: true, is_admin: false });
  expect(doctor).toBe(null);
  expect(await own(account)).toMatchObject({
    state: 'pending',
    employer: { id: employer },
    work_title: 'Chief of staff',
    reason: '',
  });
  const open = await caseOf(details.last_name);
  expect(open).toMatchObject({ kind: 'representative', priority: 2 });
  // The day would show when the account signed up.
  expect(new Date(open?.opened_on ?? '').getUTCDay()).toBe(1);
});

test('the curator sees mailbox and website side by side, and approves', async () => {
  const { details, user, ...account } = await signedUp();
  const open = await caseOf(details.last_name);
  const { file } = (await call('GET', `/admin/cases/${open?.id}/`, curator)).json<CaseFile>();
  expect(file).toMatchObject({
    type: 'representative',
    representative: {
      user: { id: user.id, email: details.email },
      work_title: 'Chief of staff',
      mailbox_domain: 'stluke.example',
      employer_domain: 'stluke.example',
      employer: { id: employer },
    },
  });
  const body = { reason: 'Called the switchboard.', case_id: open?.id };
  expect((await decide('approve', user.id, body)).json()).toMatchObject({ state: 'approved' });
  expect(await own(account)).toMatchObject({ state: 'approved', reason: '' });
  expect(refusalOf(await decide('approve', user.id, body)).code).toBe('case_closed');
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('subject', '=', user.id)
    .execute();
  expect(acts).toEqual([
    {
      actor: curator.userId,
      action: 'representative.approve',
      details: { reason: 'Called the switchboard.' },
    },
  ]);
});

test('a refused representative sees the reason', async () => {
  const { user, ...account } = await signedUp();
  expect(refusalOf(await decide('refuse', user.id, {})).errors).toEqual({
    reason: ['Please give a reason'],
  });
  await decide('refuse', user.id, { reason: 'Nobody there knows you.' });
  expect(await own(account)).toMatchObject({ state: 'refused', reason: 'Nobody there knows you.' });
});

test('of two simultaneous decisions, one is made', async () => {
  const { details, user } = await signedUp();
  const case_id = (await caseOf(details.last_name))?.id;
  const answers = await Promise.all([
    decide('approve', user.id, { reason: 'Known.', case_id }),
    decide('refuse', user.id, { reason: 'Unknown.', case_id }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
});

test('only a curator sees and decides it', async () => {
  const { details, user } = await signedUp();
  const open = await caseOf(details.last_name);
  expect((await call('GET', `/admin/cases/${open?.id}/`, moderator)).statusCode).toBe(404);
  const answer = await decide('approve', user.id, { reason: 'Known.' }, moderator);
  expect(refusalOf(answer).code).toBe('permission_denied');
  const doctor = await signedInDoctor(server);
  expect((await decide('approve', doctor.userId, { reason: 'A doctor.' })).statusCode).toBe(404);
});

test('a free mailbox cannot represent an employer', async () => {
  for (const domain of ['gmail.com', 'Yahoo.co.uk', 'proton.me']) {
    expect(refusalOf(await register({ action: 'create_account', ...detailsAt(domain) }))).toEqual({
      status: 400,
      code: 'employer_mailbox',
      detail: 'Please use your mailbox at the employer. A free mailbox cannot represent one.',
      errors: {
        email: ['Please use your mailbox at the employer. A free mailbox cannot represent one.'],
      },
    });
  }
});

test.each([
  ['work_title', '  ', 'Work title is required'],
  ['work_title', 'x'.repeat(101), 'Must be at most 100 characters'],
  ['work_title', 'Chief\u202eof staff', 'Must not contain control or invisible characters'],
  ['employer', 2_000_000_000, 'There is no such employer'],
  ['employer', '7', 'Must be the id of an employer'],
  ['password', 'P@ssw0rd', 'This password is too common. Please choose another.'],
  ['npi', '1234567893', 'Unknown field'],
])('rejects an invalid %s', async (field, value, message) => {
  const details = { ...detailsAt('stluke.example'), [field]: value };
  const answer = await register({ action: 'create_account', ...details });
  expect(refusalOf(answer).errors).toEqual({ [field]: [message] });
});

test('a code is bound to the employer and the title that requested it', async () => {
  const details = detailsAt('stluke.example');
  await register({ action: 'create_account', ...details });
  const otp_code = await codeFor(server, details.email);
  for (const other of [{ employer: await newEmployer(server) }, { work_title: 'Owner' }]) {
    const answer = await register({ action: 'verify_otp', ...details, ...other, otp_code });
    expect(refusalOf(answer).code).toBe('invalid_code');
  }
  expect((await register({ action: 'verify_otp', ...details, otp_code })).statusCode).toBe(200);
});

test('the address of a representative stays at its domain', async () => {
  const email = `rita@${crypto.randomUUID()}.example`;
  const account = await signedInRepresentative(server, employer, { email, password: PASSWORD });
  const change = (to: string) =>
    call('PATCH', `/users/${account.userId}/`, account, { email: to, password: PASSWORD });
  for (const to of ['rita@gmail.com', newEmail()]) {
    expect(refusalOf(await change(to)).code).toBe('employer_mailbox');
  }
  expect((await change(email.replace('rita', 'rita.speaks'))).statusCode).toBe(200);
});

test('the export includes the representation, and deleting the account removes it', async () => {
  const account = await signedInRepresentative(server, employer, { password: PASSWORD });
  const exported = await call('POST', '/auth/export/', account, { password: PASSWORD });
  expect(exported.json().representative).toMatchObject({ work_title: 'Chief of staff' });
  const body = { password: PASSWORD, reviews: 'delete' };
  expect((await call('POST', '/auth/delete-account/', account, body)).statusCode).toBe(200);
  const rows = server.deps.db.selectFrom('representatives').selectAll();
  expect(await rows.where('user_id', '=', account.userId).execute()).toEqual([]);
});

test('no account is both a doctor’s and a representative’s', async () => {
  const doctor = await signedInDoctor(server);
  const row = { user_id: doctor.userId, employer_id: employer };
  const both = server.deps.db.insertInto('representatives').values(row).execute();
  await expect(both).rejects.toMatchObject({ constraint: 'representatives_apart' });
});
