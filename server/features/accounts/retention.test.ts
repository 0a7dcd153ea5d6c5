import { expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail } from '#server/testing/factories.ts';
import { newDetails, newMember, send } from './testing/account-flows.ts';

const HOUR_MS = 3_600_000;
const TABLES = ['one_time_codes', 'password_resets', 'email_changes', 'sessions'] as const;

async function retain({ deps, jobs }: TestApp) {
  await deps.jobs.enqueue(deps.db, 'retention', {});
  await jobs.idle();
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    counts[table] = (await deps.db.selectFrom(table).selectAll().execute()).length;
  }
  return counts;
}

test('deletes everything when it expires, and not earlier', async () => {
  await using server = await buildTestApp();
  const { id, email, headers } = await newMember(server);
  const after = (hours: number) => {
    server.time.now = new Date(start + hours * HOUR_MS);
    return retain(server);
  };
  const start = server.time.now.getTime();
  await send(server, '/auth/register/', { action: 'create_account', ...newDetails() });
  await send(server, '/auth/password/reset/', { email });
  await send(server, `/users/${id}/`, { email: newEmail() }, { headers, method: 'PATCH' });

  const all = { one_time_codes: 1, password_resets: 1, email_changes: 1, sessions: 1 };
  expect(await after(0.16)).toEqual(all);
  expect(await after(0.17)).toEqual({ ...all, one_time_codes: 0 });
  expect(await after(23.99)).toEqual({ ...all, one_time_codes: 0 });
  const links = { one_time_codes: 0, password_resets: 0, email_changes: 0 };
  expect(await after(24)).toEqual({ ...links, sessions: 1 });
  expect(await after(14 * 24)).toEqual({ ...links, sessions: 1 });
  // A session's expiry is rounded to a day.
  expect(await after(15 * 24)).toEqual({ ...links, sessions: 0 });
});

test('also deletes what no key can open', async () => {
  await using server = await buildTestApp();
  const { email } = await newMember(server);
  await send(server, '/auth/password/reset/', { email });
  await server.jobs.idle();
  const sealed = Buffer.from('0102786b', 'hex');
  await server.deps.db.updateTable('password_resets').set({ sealed }).execute();
  expect(await retain(server)).toMatchObject({ password_resets: 0 });
});
