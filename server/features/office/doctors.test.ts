import { expect, test } from 'vitest';
import { DOCTOR_MESSAGES } from '#contract/case-queue.ts';
import { addDoctor } from '#server/features/accounts/signup/new-account.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmail,
  newNpi,
  POSTER,
  signedInAdmin,
  type TestAccount,
} from '#server/testing/factories.ts';
import { curbside } from '../../cli/testing/curbside.ts';

const NAME = { first_name: 'Ida', last_name: 'Example', password: null };
const reason = 'Not the person of this NPI.';

async function open(server: TestApp) {
  await signedInAdmin(server, ['owner']);
  const verifier = await signedInAdmin(server, ['verifier']);
  const npi = newNpi();
  const add = (profile: typeof POSTER | object) =>
    addDoctor(server.deps, { ...NAME, email: newEmail(), npi, profile });
  return { verifier, npi, holder: await add(POSTER), other: await add({}) };
}

const call = (
  { app }: TestApp,
  { headers }: TestAccount,
  method: 'GET' | 'POST',
  path: string,
  payload?: object,
) =>
  app.inject({ method, url: `/api/admin/doctors/${path}`, headers, ...(payload && { payload }) });

test('finds all accounts of an NPI, the verified one first', async () => {
  await using server = await buildTestApp();
  const { verifier, npi, holder, other } = await open(server);
  const found = (await call(server, verifier, 'GET', `?npi=${npi}`)).json();
  expect(found.is_banned).toBe(false);
  expect(found.results.map(({ user }: { user: { id: string } }) => user.id)).toEqual([
    holder,
    other,
  ]);
  const unknown = await call(server, verifier, 'GET', `?npi=${newNpi()}`);
  expect(unknown.json()).toEqual({ is_banned: false, results: [] });
});

test('evicts an account, whose NPI stays free for its owner', async () => {
  await using server = await buildTestApp();
  const { verifier, npi, holder, other } = await open(server);
  const evicted = await call(server, verifier, 'POST', `${holder}/evict/`, { reason });
  expect(evicted.json()).toMatchObject({ verified: false, can_post_reviews: false });
  expect((await call(server, verifier, 'GET', `?npi=${npi}`)).json().is_banned).toBe(false);
  const verified = await call(server, verifier, 'POST', `${other}/verify/`, { reason });
  expect(verified.json()).toMatchObject({ verified: true });
  const acts = await server.deps.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('subject', '=', holder)
    .execute();
  expect(acts).toEqual([{ actor: verifier.userId, action: 'doctor.evict', details: { reason } }]);
});

test('lifts a ban, without naming the NPI in the log', async () => {
  await using server = await buildTestApp({ config: { verification: 'registry' } });
  const { verifier, npi, holder, other } = await open(server);
  await call(server, verifier, 'POST', `${holder}/ban/`, { reason });
  const isBanned = async () =>
    (await call(server, verifier, 'GET', `?npi=${npi}`)).json().is_banned;
  expect(await isBanned()).toBe(true);
  const verify = () => call(server, verifier, 'POST', `${other}/verify/`, { reason });
  expect((await verify()).json().code).toBe('npi_banned');
  const lift = () => call(server, verifier, 'POST', 'unban/', { npi, reason });
  expect((await lift()).json()).toEqual({ message: DOCTOR_MESSAGES.unbanned });
  expect((await lift()).json()).toEqual({ message: DOCTOR_MESSAGES.notBanned });
  expect(await isBanned()).toBe(false);
  expect((await verify()).statusCode).toBe(200);
  const acts = await server.deps.db.selectFrom('audit_log').selectAll().execute();
  expect(acts.filter(({ action }) => action === 'doctor.unban')).toHaveLength(1);
  expect(JSON.stringify(acts)).not.toContain(npi);
});

test('a command also evicts', async () => {
  await using server = await buildTestApp();
  const { holder } = await open(server);
  expect(await curbside(server, ['doctors', 'evict', holder])).toMatchObject({ code: 1 });
  expect(await curbside(server, ['doctors', 'evict', holder, '--reason', reason])).toMatchObject({
    code: 0,
    output: 'Dr. Ida Example is evicted. The NPI stays free for its owner.\n',
  });
});
