import type { NodemailerError } from 'nodemailer';
import type { Config } from '#server/config/config.ts';
import { smtpMailer } from '#server/mail/smtp.ts';
import { type Finding, reporter } from './result.ts';

/** What to do about an error from nodemailer, by its code. The server's own text may quote the user. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  EAUTH: 'rejects the login: check user and password in SMTP_URL',
  ETLS: 'offers no TLS, or no valid certificate: use smtps://, or a server with STARTTLS',
  EDNS: 'cannot be found: check the host in SMTP_URL',
  ETIMEDOUT: 'does not respond: check host, port, and firewall',
  ECONNECTION: 'cannot be reached: check host and port in SMTP_URL',
  ESOCKET: 'cannot be reached, or its certificate is not valid: check host and port in SMTP_URL',
};

/** Connects as the server does, with STARTTLS and login, and sends nothing. */
export async function* checkMail({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): AsyncGenerator<Finding> {
  const { ok, fail } = reporter('mail');
  if (smtpUrl === null) {
    yield ok('kept locally, at /dev/mail');
    return;
  }
  const { host } = new URL(smtpUrl);
  const mailer = smtpMailer(smtpUrl, mailFrom);
  try {
    await mailer.verify();
    yield ok(`${host} accepts our mail`);
  } catch (error) {
    const { code = '' } = error as NodemailerError;
    const what = WHAT_TO_DO[code] ?? 'rejects the connection: check its log';
    yield fail(`${host} ${what}`);
  } finally {
    mailer.close();
  }
}
