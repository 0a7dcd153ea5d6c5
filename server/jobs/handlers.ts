import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#server/config.ts';
import { type Mailer, MailRefused } from '#server/mail/mailer.ts';
import { renderMail } from '#server/mail/render.ts';
import type { JobHandler, JobHandlers } from './payloads.ts';

interface MailDeps {
  readonly config: Pick<Config, 'publicUrl'>;
  readonly mailer: Mailer;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}

/** What each kind of job does: those that send mail, and those of the features. */
export function jobHandlers(
  { config, mailer, log }: MailDeps,
  features: Omit<JobHandlers, 'send-mail' | 'mailbox-code'>,
): JobHandlers {
  const sendMail: JobHandler<'send-mail'> = async ({ to, template, props }) => {
    try {
      await mailer.send({ to, ...renderMail(template, props, config) });
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ template, responseCode: error.responseCode }, 'mail refused by its recipient');
    }
  };
  return {
    'send-mail': sendMail,
    'mailbox-code': ({ to, code, minutes }) =>
      sendMail({ to, template: 'mailbox-code', props: { code, minutes } }),
    ...features,
  };
}
