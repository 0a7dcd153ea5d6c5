import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { expect, type Site, test as siteTest } from '#server/testing/site.ts';
import { save, savedOf, switchMail } from './testing/saved.ts';
import { unsubscribeUrl } from './weekly-mail.ts';

const test = siteTest
  .extend('follower', ({ site }) => follower(site))
  .extend('other', ({ site }) => follower(site));

async function follower(site: Site) {
  const doctor = await site.doctor();
  await save(site, doctor, '/employers/1');
  await switchMail(site, doctor, true);
  const { pathname, search, searchParams } = new URL(unsubscribeUrl(site.deps, doctor.userId));
  return {
    doctor,
    path: pathname + search,
    token: searchParams.get('token') ?? '',
    hasMail: async () => (await savedOf(site, doctor)).weekly_mail,
  };
}

const STOPPED = 'You will get no more weekly emails.';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** As a mail server sends it: no cookie, no session, no origin. */
const oneClick = ({ app }: Site, url: string, headers: Record<string, string> = FORM) =>
  app.inject({ method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' });

test('a POST stops the mail, and keeps the list', async ({ site, follower: { doctor, path } }) => {
  for (let at = 0; at < 2; at += 1) {
    const answer = await oneClick(site, path);
    // RFC 8058, section 3.1: no redirect.
    expect([answer.statusCode, answer.body]).toEqual([200, `${STOPPED}\n`]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await savedOf(site, doctor)).toEqual({ entries: ['/employers/1'], weekly_mail: false });
  }
});

test('accepts a form of either kind', async ({ site, follower: { path, hasMail } }) => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const field = 'Content-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click';
  const payload = `--x\r\n${field}\r\n--x--\r\n`;
  const answer = await site.app.inject({ method: 'POST', url: path, headers, payload });
  expect(answer.statusCode).toBe(200);
  expect(await hasMail()).toBe(false);
});

test('GET changes nothing', async ({ site, follower: { path, hasMail } }) => {
  await site.app.inject({ url: path });
  await site.app.inject({ method: 'HEAD', url: path });
  expect(await hasMail()).toBe(true);
});

test('a token is for one account, and is not guessed', async ({ site, follower, other }) => {
  const { doctor, path, token, hasMail } = other;
  expect((await oneClick(site, follower.path)).statusCode).toBe(200);
  expect(await hasMail()).toBe(true);
  const flipped = `${token.slice(0, 60)}${token[60] === 'A' ? 'B' : 'A'}${token.slice(61)}`;
  for (const value of [flipped, token.slice(1), doctor.userId, 'x', 'A'.repeat(127)]) {
    const answer = await oneClick(site, `/unsubscribe?token=${value}`);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_email_link']);
  }
  for (const url of ['/unsubscribe?token=', '/unsubscribe', `${path}&x=1`]) {
    expect((await oneClick(site, url)).statusCode).toBeGreaterThanOrEqual(400);
  }
  expect(await hasMail()).toBe(true);
  // The token contains the account, but unreadably.
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(doctor.userId);
});

test('does not reveal whether the account exists', async ({ site, follower: { doctor, path } }) => {
  await site.deps.db.deleteFrom('users').where('id', '=', doctor.userId).execute();
  expect((await oneClick(site, path)).statusCode).toBe(200);
});

test('rejects requests from another site', async ({ site, follower: { path, token, hasMail } }) => {
  const elsewhere = { origin: 'https://elsewhere.example' };
  expect((await oneClick(site, path, { ...FORM, ...elsewhere })).statusCode).toBe(403);
  const { unsubscribe } = savedEndpoints;
  const fromElsewhere = site.visitor({ headers: elsewhere });
  expect((await fromElsewhere.post(unsubscribe, { token })).status).toBe(403);
  expect(await hasMail()).toBe(true);
  const visitor = site.visitor();
  expect((await visitor.post(unsubscribe, { token: 'not a token' })).status).toBe(400);
  expect((await visitor.post(unsubscribe, { token })).body).toEqual({ message: STOPPED });
  expect(await hasMail()).toBe(false);
});

test('stopping and saving at once lose nothing', async ({ site, follower: { doctor, path } }) => {
  const saving = [2, 3, 4].map((id) => save(site, doctor, `/employers/${id}`));
  await Promise.all([oneClick(site, path), ...saving]);
  const { entries, weekly_mail } = await savedOf(site, doctor);
  expect([entries.length, weekly_mail]).toEqual([4, false]);
});
