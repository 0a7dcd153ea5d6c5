import { expect, onTestFinished, test } from 'vitest';
import { MailRefused, smtpMailer } from './mailer.ts';
import { partsOf, smtpReply, splitHeaders, startSmtpServer } from './testing.ts';

const FROM = 'Curbside <no-reply@curbside.test>';
const MAIL = {
  to: 'dr.nuñez@hospital.test',
  subject: 'Café menu • more',
  text: 'Résumé, “quoted”\n.\nFrom here on\n',
  html: '<p>Résumé, <b>“quoted”</b></p>',
};

type Options = Parameters<typeof startSmtpServer>[0] & { host?: string };

async function setup({ host = '127.0.0.1', ...options }: Options = {}) {
  const server = await startSmtpServer(options);
  const mailer = smtpMailer(server.url.replace('127.0.0.1', host), FROM);
  onTestFinished(async () => {
    mailer.close();
    await server.close();
  });
  return { server, mailer };
}

test('delivers both parts with any characters', async () => {
  const { server, mailer } = await setup();
  await mailer.send(MAIL);

  const [mail] = server.received;
  expect(mail?.from).toBe('no-reply@curbside.test');
  expect(mail?.to).toEqual(['dr.nuñez@hospital.test']);
  const source = mail?.source ?? '';
  const { headers } = splitHeaders(source);
  expect(headers.get('from')).toBe(FROM);
  expect(headers.get('subject')).toMatch(/^=\?UTF-8\?/);
  expect(headers.get('content-type')).toMatch(/^multipart\/alternative;/);
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(headers.get('message-id')).toMatch(/@curbside\.test>$/);
  expect(headers.has('x-mailer')).toBe(false);
  const parts = partsOf(source);
  // Plain text before HTML: mail clients use the last part that they can show.
  expect([...parts.keys()]).toEqual(['text/plain; charset=utf-8', 'text/html; charset=utf-8']);
  const [text, html] = [...parts.values()].map((part) => part.replaceAll('\r\n', '\n').trimEnd());
  expect([text, html]).toEqual([MAIL.text.trimEnd(), MAIL.html]);
});

test('SMTP and the header get any mailbox unchanged', async () => {
  const { server, mailer } = await setup();
  for (const mailbox of ['o&leary', "o'hara", 'a/b#c=d%e~f', '{x}|y^z', '=?utf-8?q?x?=']) {
    const to = `${mailbox}@hospital.test`;
    await mailer.send({ ...MAIL, to });
    const mail = server.received.at(-1);
    expect(mail?.to).toEqual([to]);
    expect(splitHeaders(mail?.source ?? '').headers.get('to')).toBe(to);
  }
});

test('an address cannot name a second recipient or add a header', async () => {
  const { server, mailer } = await setup();
  const to = 'a@hospital.test, b@hospital.test\r\nBcc: c@hospital.test';
  await mailer.send({ ...MAIL, to }).catch(() => {});
  expect(server.received.flatMap((mail) => mail.to)).not.toContain('c@hospital.test');
  expect(server.received.flatMap((mail) => mail.to)).not.toContain('b@hospital.test');
});

test.each([550, 553])('throws MailRefused if the recipient is rejected with %i', async (code) => {
  const { mailer } = await setup({
    onRcptTo: ({ address }, _session, done) => done(smtpReply(code, `<${address}> unknown`)),
  });
  const failure = await mailer.send(MAIL).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MailRefused);
  expect(failure).toMatchObject({ responseCode: code });
  expect(String(failure)).not.toContain('hospital');
});

test('throws MailRefused if the message is permanently rejected', async () => {
  const { mailer } = await setup({
    onData(stream, _session, done) {
      stream.resume().on('end', () => done(smtpReply(554, 'not this')));
    },
  });
  await expect(mailer.send(MAIL)).rejects.toBeInstanceOf(MailRefused);
});

test.each([
  ['greylisting', { onRcptTo: (_to, _session, done) => done(smtpReply(450, 'later')) }],
  ['a rejected sender', { onMailFrom: (_from, _session, done) => done(smtpReply(550, 'not you')) }],
  ['a busy server', { onConnect: (_session, done) => done(smtpReply(421, 'busy')) }],
] satisfies [string, Options][])('%s can be retried', async (_what, options) => {
  const { mailer } = await setup(options);
  const failure = await mailer.send(MAIL).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(MailRefused);
});

test('sends nothing unencrypted over a network', async () => {
  // This name is not a loopback name, but it reaches this machine.
  const { server, mailer } = await setup({ host: '0.0.0.0' });
  await expect(mailer.send(MAIL)).rejects.toMatchObject({ code: 'ETLS' });
  expect(server.received).toEqual([]);
});
