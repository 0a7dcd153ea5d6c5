import { expect } from 'vitest';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { newEmail } from '#server/testing/factories.ts';
import { invalid, test as siteTest } from '#server/testing/site.ts';
import {
  addMember,
  bearer,
  canLogIn,
  invalidField,
  isSignedIn,
  logIn,
  PASSWORD,
  refusalOf,
} from '../testing/account-flows.ts';

const test = siteTest.extend('member', ({ site }) => addMember(site));

const WRONG_PASSWORD = 'Wrong-Stethoscope-1';
const WRONG = {
  status: 401,
  code: 'invalid_credentials',
  detail: 'Incorrect email or password.',
};

test('signs in, whatever the case of the address', async ({ site, member }) => {
  const { headers, body } = await logIn(site, member.email.toUpperCase());
  expect(headers['cache-control']).toBe('no-store, no-transform');
  const { access, refresh, user, doctor } = body;
  expect(user).toMatchObject({ id: member.id, email: member.email, pending_email: null });
  expect(doctor).toMatchObject({ npi: member.npi, verified: false });
  expect(await isSignedIn(site, { headers: bearer(access) })).toBe(true);
  expect(refresh).not.toBe(member.refresh);
  expect(await isSignedIn(site, member)).toBe(true);
});

test('rejects a wrong password and an unknown address alike', async ({ site, member }) => {
  const known = await logIn(site, member.email, WRONG_PASSWORD);
  const unknown = await logIn(site, newEmail());
  expect(refusalOf(known)).toEqual(WRONG);
  expect(refusalOf(unknown)).toEqual(WRONG);
  const bare = ({ request_id: _, ...problem }: Record<string, unknown>) => problem;
  expect(bare(known.problem)).toEqual(bare(unknown.problem));
  expect(known.problem.error).toBe(WRONG.detail);
});

test.for([
  [{ password: PASSWORD }, 'email', 'Email is required'],
  [{ email: 'ada', password: PASSWORD }, 'email', 'Invalid email address'],
  [{ email: newEmail() }, 'password', 'Password is required'],
  [{ email: newEmail(), password: '' }, 'password', 'Password is required'],
  [{ email: newEmail(), password: 'x'.repeat(129) }, 'password', WRONG.detail],
  [{ email: newEmail(), password: PASSWORD, remember: true }, 'remember', 'Unknown field'],
] as const)('rejects each field with its text: %j', async ([payload, field, message], { site }) => {
  expect(refusalOf(await site.visitor().post(sessionEndpoints.login, invalid(payload)))).toEqual(
    invalidField(field, message),
  );
});

test('an accent typed in two ways is the same password', async ({ site }) => {
  const { email } = await addMember(site, { password: 'Caf\u00e9-Stethoscope-1' });
  expect(await canLogIn(site, email, 'Cafe\u0301-Stethoscope-1')).toBe(true);
});
