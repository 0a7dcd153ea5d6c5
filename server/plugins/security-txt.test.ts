import { DAY_MS } from '#contract/limits.ts';
import { expect, newSite, testWith } from '#server/testing/site.ts';

const securityContact = 'mailto:reports@curbside.example';
const test = testWith({ config: { publicUrl: 'https://curbside.example', securityContact } });

test('security.txt says where to report a vulnerability (RFC 9116)', async ({ site }) => {
  site.time.now = new Date('2026-03-01T15:45:12.345Z');
  const answer = await site.app.inject('/.well-known/security.txt');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('public, max-age=3600');
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(answer.body.trimEnd().split('\n')).toEqual([
    'Contact: mailto:reports@curbside.example',
    'Expires: 2026-08-28T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://curbside.example/.well-known/security.txt',
    'Policy: https://curbside.example/security.md',
  ]);

  // The expiry stays in the future however long the server runs, in whole days.
  site.time.now = new Date('2027-03-02T03:00:00Z');
  const later = await site.app.inject('/.well-known/security.txt');
  const expires = new Date(/^Expires: (.+)$/m.exec(later.body)?.[1] ?? '');
  const ahead = expires.getTime() - site.time.now.getTime();
  expect(ahead).toBeGreaterThan(100 * DAY_MS);
  expect(ahead).toBeLessThan(365 * DAY_MS);
  expect(expires.getTime() % DAY_MS).toBe(0);
});

test('returns 404 without a contact', async () => {
  const site = await newSite({ config: { securityContact: null } });
  const answer = await site.app.inject('/.well-known/security.txt');
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
});

test('names the policy in the repository', async ({ site }) => {
  const answer = await site.app.inject('/security.md');
  expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(answer.body).toMatch(/^# Security/);
  expect(answer.body).toContain('/.well-known/security.txt');
});
