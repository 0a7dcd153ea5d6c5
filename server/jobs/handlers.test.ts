import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { smtpMailer } from '#server/mail/mailer.ts';
import { smtpReply, splitHeaders, startSmtpServer } from '#server/mail/testing.ts';
import { testDatabase } from '#server/testing/database.ts';
import { freePort } from '#server/testing/free-port.ts';
import { hurry, idleFeatures, logToLines, SIGNUP_MAIL } from '#server/testing/jobs.ts';
import { jobHandlers } from './handlers.ts';
import { startJobs } from './queue.ts';

async function setup(smtpUrl: string) {
  const database = await testDatabase();
  const { log, lines } = logToLines();
  const keys = { sealing: [{ id: 'k1', key: randomBytes(32) }] };
  const outcomes: unknown[] = [];
  const onEnd = (_name: string, outcome: string) => outcomes.push(`job ${outcome}`);
  const jobs = await startJobs({ database, keys, log, onEnd });
  const metrics = {
    countByDay: (name: string, { outcome }: Record<string, string>) =>
      outcomes.push(`${name} ${outcome}`),
  };
  const mailer = smtpMailer(smtpUrl, 'Curbside <no-reply@curbside.test>');
  onTestFinished(async () => {
    await jobs.stop();
    mailer.close();
  });
  const config = { publicUrl: 'https://curbside.test' };
  await jobs.work(
    jobHandlers({ config, mailer, log, metrics }, { 'saved-news': async () => null }, idleFeatures),
  );
  const waiting = async () =>
    (await database.pool.query("select state from pgboss.job where name = 'send-mail'")).rows;
  return { jobs, lines, waiting, outcomes, ...database };
}

test('mail waits while its server is down, and is sent when the server is back', async () => {
  const port = await freePort();
  const { jobs, db, pool, waiting, outcomes } = await setup(`smtp://127.0.0.1:${port}`);
  await jobs.enqueue(db, 'send-mail', SIGNUP_MAIL);
  await jobs.idle();
  expect(await waiting()).toEqual([{ state: 'retry' }]);

  const server = await startSmtpServer({}, port);
  onTestFinished(() => server.close());
  await hurry(pool);
  await jobs.idle();
  expect(await waiting()).toEqual([]);
  expect(server.received).toHaveLength(1);
  const { headers, body } = splitHeaders(server.received[0]?.source ?? '');
  expect(headers.get('subject')).toBe('About your request');
  expect(body).toContain(SIGNUP_MAIL.props.code);
  expect(outcomes).toEqual([
    'curbside_day_mails failed',
    'job failed',
    'curbside_day_mails sent',
    'job done',
  ]);
});

test('retries greylisted mail', async () => {
  let refusals = 1;
  const server = await startSmtpServer({
    onRcptTo(_to, _session, done) {
      refusals -= 1;
      done(refusals >= 0 ? smtpReply(451, 'come back later') : null);
    },
  });
  onTestFinished(() => server.close());
  const { jobs, db, pool, waiting } = await setup(server.url);
  await jobs.enqueue(db, 'send-mail', SIGNUP_MAIL);
  await jobs.idle();
  expect(await waiting()).toEqual([{ state: 'retry' }]);
  await hurry(pool);
  await jobs.idle();
  expect(server.received).toHaveLength(1);
});

test("drops mail that the recipient's server rejects, and logs no recipient", async () => {
  const server = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) => done(smtpReply(550, `<${address}> unknown`)),
  });
  onTestFinished(() => server.close());
  const { jobs, db, lines, waiting, outcomes } = await setup(server.url);
  await jobs.enqueue(db, 'send-mail', SIGNUP_MAIL);
  await jobs.idle();

  expect(await waiting()).toEqual([]);
  expect(outcomes).toEqual(['curbside_day_mails refused', 'job done']);
  const line = '[{"template":"signup-code","responseCode":550},"mail rejected by the recipient"]';
  expect(lines).toEqual([line]);
});
