import fastify from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { expect, onTestFinished, test } from 'vitest';
import { hasValidCheckDigit } from '#contract/verification/doctors.ts';
import { listSample } from '#server/features/site/dev/routes.ts';
import { allPassed } from '#server/features/verification/claims.ts';
import { checkDoctor } from '#server/features/verification/registry-check.ts';
import { openOutbox } from '#server/mail/outbox.ts';
import { httpNpiRegistry } from '#server/npi-registry/http.ts';
import { newFolder } from '#server/testing/folder.ts';
import { devRoutes } from './routes.ts';

async function setup() {
  const outbox = await openOutbox(newFolder(), () => new Date('2026-03-01T12:00:00Z'));
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  await app.register(devRoutes({ outbox }));
  onTestFinished(() => app.close());
  return { app, outbox };
}

function mail(to: string, subject: string) {
  const html = `<p title="&quot;">html of ${subject}</p>`;
  return { to, subject, text: `text of ${subject} <&>`, html };
}

test('/dev/mail/messages lists mail newest first, to one address or to all', async () => {
  const { app, outbox } = await setup();
  await outbox.send(mail('a+1@x.test', 'one'));
  await outbox.send(mail('b@x.test', 'two'));
  await outbox.send(mail('a+1@x.test', 'three'));

  const all = await app.inject('/dev/mail/messages');
  expect(all.json()).toHaveLength(3);
  const some = await app.inject({ path: '/dev/mail/messages', query: { to: 'A+1@x.test' } });
  const stored = { id: expect.any(String), sent_at: '2026-03-01T12:00:00.000Z' };
  const sent = ['three', 'one'].map((subject) => ({ ...mail('a+1@x.test', subject), ...stored }));
  expect(some.json()).toEqual(sent);
  const none = await app.inject('/dev/mail/messages?to=nobody@x.test');
  expect(none.json()).toEqual([]);
});

test('/dev/mail shows the newest mail, or the selected one, and runs nothing in it', async () => {
  const { app, outbox } = await setup();
  expect((await app.inject('/dev/mail')).body).toContain('No mail yet.');
  await outbox.send(mail('a@x.test', 'one'));
  await outbox.send(mail('b@x.test', '<script>alert(1)</script>'));
  const [, first] = await outbox.list();

  const newest = await app.inject('/dev/mail');
  expect(newest.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(newest.headers['content-security-policy']).toContain("default-src 'none'");
  expect(newest.body).not.toContain('<script');
  expect(newest.body).toContain('<h2>&lt;script&gt;alert(1)&lt;/script&gt;</h2>');

  const chosen = await app.inject(`/dev/mail?id=${first?.id}`);
  expect(chosen.body).toContain('<h2>one</h2>');
  expect(chosen.body).toContain('text of one &lt;&amp;&gt;');
  expect(chosen.body).toContain('srcdoc="&lt;p title=&quot;&amp;quot;&quot;&gt;html of one');
  expect(chosen.body).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');

  const narrowed = await app.inject('/dev/mail?to=a@x.test');
  expect(narrowed.body).not.toContain('b@x.test');
  expect((await app.inject('/dev/mail?to=c@x.test')).body).toContain('No mail to c@x.test.');
});

test('/dev/registry/sample lists at least 50 clinicians, of every kind', async () => {
  const { app } = await setup();
  const sample = (await app.inject('/dev/registry/sample')).json();
  expect(sample.length).toBeGreaterThanOrEqual(50);
  expect(Object.keys(sample[0])).toEqual(['number', 'first_name', 'last_name', 'state', 'kind']);
  const kinds = new Set(['physician', 'trainee', 'not-a-physician', 'deactivated', 'organization']);
  expect(new Set(sample.map(({ kind }: { kind: string }) => kind))).toEqual(kinds);
  for (const { number } of sample) expect(hasValidCheckDigit(number), number).toBe(true);
});

test('our own client parses every clinician of /dev/registry', async () => {
  const { app } = await setup();
  const registry = httpNpiRegistry(`${await app.listen({ port: 0 })}/dev/registry`);
  for (const { number, first_name, last_name, kind } of listSample()) {
    const answer = await registry.lookUp(number);
    const name = { first_name: first_name ?? 'A', last_name: last_name ?? 'B' };
    const checks = checkDoctor(answer, name);
    expect(allPassed(checks)).toBe(kind === 'physician' || kind === 'trainee');
    if (kind === 'deactivated' || kind === 'organization') expect(answer.kind).toBe(kind);
  }
  expect(await registry.lookUp('1234567893')).toEqual({ kind: 'unknown' });
});

test.each([
  ['van den Wijngaert', 'Ottilie|Wijngaert', true, 'osteopathy, without the particles'],
  ['de la Rivadera', 'Benicio|Delarivadera', true, 'phlebology, in one word'],
  ['St. Aubrey-Croft', 'Philippa|Saint Aubrey Croft', true, 'legal medicine, no hyphen'],
  ['Halvorsted', 'Marguerite|Delacourte', true, 'the maiden name'],
  ['Halvorsted', 'Marguerite|Delacourte-Halvorsted', true, 'both names'],
  ['Müllerhoff', 'Jörg|Müllerhoff', true, 'transplant surgery, with the dots'],
  ['Müllerhoff', 'Joerg|Muellerhoff', false, 'the registry has neither periods nor an E'],
  ['El-Mansoury', 'Nadia|Al Mansoury', true, 'the same article'],
  ['Achterbos', 'Desmond|Achterbos', false, 'an oral surgeon waits for an administrator'],
])('in the sample, %s matches %s: %s (%s)', async (entry, given, isVerified) => {
  const { app } = await setup();
  const registry = httpNpiRegistry(`${await app.listen({ port: 0 })}/dev/registry`);
  const number = listSample().find(({ last_name }) => last_name === entry)?.number ?? '';
  const [first_name = '', last_name = ''] = given.split('|');
  const checks = checkDoctor(await registry.lookUp(number), { first_name, last_name });
  expect(allPassed(checks)).toBe(isVerified);
});

test.each([
  ['version=2.1&number=123', 'number', 'NPI must be 10 digits'],
  ['version=2.1', '', 'No valid search criteria specified'],
  ['number=1234567893', 'version', 'Unsupported Version'],
])('rejects /dev/registry?%s as CMS does', async (query, field, description) => {
  const { app } = await setup();
  const answer = await app.inject(`/dev/registry?${query}`);
  expect(answer.json()).toEqual({ Errors: [{ description, field, number: expect.any(String) }] });
});
