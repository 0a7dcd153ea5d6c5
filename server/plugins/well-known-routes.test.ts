import { vi } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { expect, newSite, testWith } from '#server/testing/site.ts';

const securityContact = 'mailto:reports@curbside.example';
const test = testWith({ config: { publicUrl: 'https://curbside.example', securityContact } });

test('a health check is logged only when its answer changes', async () => {
  const lines: string[] = [];
  const logTo = (line: string) => void lines.push(line);
  const site = await newSite({ config: { logLevel: 'info' }, logTo });
  const ask = async (url: string) => {
    for (let times = 0; times < 3; times += 1) await site.app.inject(url);
  };
  const logged = () =>
    lines
      .splice(0)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'answered')
      .map(({ route, status }) => `${route} ${status}`);
  await ask('/readyz');
  await ask('/healthz');
  await ask('/api/csrf/');
  const other = Array<string>(3).fill('/api/csrf/ 204');
  expect(logged()).toEqual(['/readyz 200', '/healthz 200', ...other]);
  const query = vi
    .spyOn(site.deps.database.pool, 'query')
    .mockRejectedValue(new Error('gone') as never);
  await ask('/readyz');
  expect(logged()).toEqual(['/readyz 503']);
  query.mockRestore();
  await ask('/readyz');
  expect(logged()).toEqual(['/readyz 200']);
});

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
