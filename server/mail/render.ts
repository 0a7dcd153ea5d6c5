import { type Email, mailOf, type Site } from './email-layout.ts';
import type { MailMessage } from './outbox.ts';
import { MAIL_TEMPLATES } from './templates.ts';

export type MailTemplate = keyof typeof MAIL_TEMPLATES;
export type MailProps<T extends MailTemplate> = Parameters<(typeof MAIL_TEMPLATES)[T]>[0];

/** The payload of a 'send-mail' job: a template and its props. */
export type MailJob = {
  [T in MailTemplate]: {
    readonly to: string;
    readonly template: T;
    readonly props: MailProps<T>;
    /** Rendered, but not sent. */
    readonly isDiscarded?: boolean;
  };
}[MailTemplate];

export function renderMail<T extends MailTemplate>(
  template: T,
  props: MailProps<T>,
  site: Site,
): Omit<MailMessage, 'to'> {
  const write = MAIL_TEMPLATES[template] as (props: MailProps<T>, site: Site) => Email;
  return mailOf(write(props, site), site);
}
