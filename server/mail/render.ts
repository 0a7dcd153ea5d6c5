import { render, toPlainText } from '@react-email/components';
import type { ReactElement } from 'react';
import type { MailMessage } from './mailer.ts';
import { emailChangeConfirm } from './templates/email-change-confirm.ts';
import { emailChangeNotice } from './templates/email-change-notice.ts';
import { emailChangeUndone } from './templates/email-change-undone.ts';
import { type Site, SUBJECT } from './templates/layout.ts';
import { mailboxCode } from './templates/mailbox-code.ts';
import { passwordChanged } from './templates/password-changed.ts';
import { passwordReset } from './templates/password-reset.ts';
import { signupAttempted } from './templates/signup-attempted.ts';
import { signupCode } from './templates/signup-code.ts';
import { signupOver } from './templates/signup-over.ts';
import { verificationLost } from './templates/verification-lost.ts';
import { verified } from './templates/verified.ts';

/** Every mail that is ever sent. */
export const MAIL_TEMPLATES = {
  'signup-code': signupCode,
  'signup-attempted': signupAttempted,
  'signup-over': signupOver,
  'mailbox-code': mailboxCode,
  'password-reset': passwordReset,
  'password-changed': passwordChanged,
  'email-change-confirm': emailChangeConfirm,
  'email-change-notice': emailChangeNotice,
  'email-change-undone': emailChangeUndone,
  verified,
  'verification-lost': verificationLost,
} as const;

export type MailTemplate = keyof typeof MAIL_TEMPLATES;
export type MailProps<T extends MailTemplate> = Parameters<(typeof MAIL_TEMPLATES)[T]>[0];

/** What a 'send-mail' job is told: a template and just the props that go with it. */
export type MailJob = {
  [T in MailTemplate]: {
    readonly to: string;
    readonly template: T;
    readonly props: MailProps<T>;
  };
}[MailTemplate];

/** Lines of the text part, links aside (RFC 5322, section 2.1.1: no more than 78 characters). */
const TEXT_WIDTH = 76;

/** Renders a mail's HTML part, and its text part from the same elements. */
export async function renderMail<T extends MailTemplate>(
  template: T,
  props: MailProps<T>,
  site: Site,
): Promise<Omit<MailMessage, 'to'>> {
  const write = MAIL_TEMPLATES[template] as (props: MailProps<T>, site: Site) => ReactElement;
  const html = await render(write(props, site));
  const text = toPlainText(html, {
    wordwrap: TEXT_WIDTH,
    selectors: [
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'hr', options: { length: TEXT_WIDTH } },
    ],
  });
  return { subject: SUBJECT, html, text: `${text}\n` };
}
