import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#server/config/config.ts';
import { type Mailer, MailRefused } from '#server/mail/mailer.ts';
import { type MailJob, renderMail } from '#server/mail/templates.ts';
import type { JobHandler, JobHandlers, JobPayloads } from './settings.ts';

interface MailDeps {
  readonly config: Pick<Config, 'publicUrl'>;
  readonly mailer: Mailer;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly metrics: { countByDay(name: 'curbside_day_mails', labels: { outcome: string }): void };
}

/** Jobs whose mail a feature composes when it is sent. Null: the mail is no longer wanted. */
interface ComposedMail {
  'saved-news'(payload: JobPayloads['saved-news']): Promise<MailJob | null>;
}

/** The handler of each kind of job: those that send mail, and those of the features. */
export function jobHandlers(
  { config, mailer, log, metrics }: MailDeps,
  composed: ComposedMail,
  features: Omit<JobHandlers, 'send-mail' | 'mailbox-code' | keyof ComposedMail>,
): JobHandlers {
  const count = (outcome: 'sent' | 'refused' | 'failed') =>
    metrics.countByDay('curbside_day_mails', { outcome });
  const sendMail: JobHandler<'send-mail'> = async ({ to, template, props, isDiscarded }) => {
    try {
      const mail = { to, ...renderMail(template, props, config) };
      if (isDiscarded) return;
      await mailer.send(mail);
      count('sent');
    } catch (error) {
      const isRefused = error instanceof MailRefused;
      count(isRefused ? 'refused' : 'failed');
      if (!isRefused) throw error;
      log.warn({ template, responseCode: error.responseCode }, 'mail rejected by the recipient');
    }
  };
  return {
    'send-mail': sendMail,
    'mailbox-code': ({ to, code, minutes }) =>
      sendMail({ to, template: 'mailbox-code', props: { code, minutes } }),
    'saved-news': async (payload) => {
      const mail = await composed['saved-news'](payload);
      if (mail) await sendMail(mail);
    },
    ...features,
  };
}
