import {
  addMember,
  changeProfile,
  newDetails,
  register,
  resetLink,
} from '#server/features/accounts/testing/account-flows.ts';
import { newEmail } from '#server/testing/factories.ts';
import { expect, newSite, type Site, test } from '#server/testing/site.ts';

const HOUR_MS = 3_600_000;
const TABLES = ['one_time_codes', 'password_resets', 'email_changes', 'sessions'] as const;

/** Deletes what has expired. Returns how many rows are left. */
async function retain(site: Site) {
  await site.run('retention');
  const counts: Record<string, number> = {};
  for (const table of TABLES) counts[table] = (await site.rows(table)).length;
  return counts;
}

test('deletes everything when it expires, and not earlier; also what no key can open', async () => {
  const site = await newSite();
  const member = await addMember(site);
  const start = site.time.now.getTime();
  const after = (hours: number) => {
    site.time.now = new Date(start + hours * HOUR_MS);
    return retain(site);
  };
  await register(site, { action: 'create_account', ...newDetails() });
  await resetLink(site, member.email);
  await changeProfile(site, member, { email: newEmail() });

  const all = { one_time_codes: 1, password_resets: 1, email_changes: 1, sessions: 1 };
  expect(await after(0.16)).toEqual(all);
  expect(await after(0.17)).toEqual({ ...all, one_time_codes: 0 });
  expect(await after(23.99)).toEqual({ ...all, one_time_codes: 0 });
  const links = { one_time_codes: 0, password_resets: 0, email_changes: 0 };
  expect(await after(24)).toEqual({ ...links, sessions: 1 });
  expect(await after(14 * 24)).toEqual({ ...links, sessions: 1 });
  // A session's expiry is rounded to a day.
  expect(await after(15 * 24)).toEqual({ ...links, sessions: 0 });

  await resetLink(site, member.email);
  const sealed = Buffer.from('0102786b', 'hex');
  await site.deps.db.updateTable('password_resets').set({ sealed }).execute();
  expect(await retain(site)).toMatchObject({ password_resets: 0 });
});
