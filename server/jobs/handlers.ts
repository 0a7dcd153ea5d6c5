import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#server/config.ts';
import { type Mailer, MailRefused } from '#server/mail/mailer.ts';
import { renderMail } from '#server/mail/render.ts';
import type { JobHandler, JobHandlers } from './payloads.ts';

interface HandlerDeps {
  readonly config: Pick<Config, 'publicUrl'>;
  readonly mailer: Mailer;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly verifyNpi: JobHandler<'verify-npi'>;
  readonly passwordReset: JobHandler<'password-reset'>;
  readonly reviewsDue: JobHandler<'reviews-due'>;
  readonly holdDisputedReviews: JobHandler<'hold-disputed-reviews'>;
  readonly retention: JobHandler<'retention'>;
  readonly rewrite: JobHandler<'rewrite'>;
  readonly refreshTitles: JobHandler<'refresh-titles'>;
}

/** The handler of each kind of job. */
export function jobHandlers({
  config,
  mailer,
  log,
  verifyNpi,
  passwordReset,
  reviewsDue,
  holdDisputedReviews,
  retention,
  rewrite,
  refreshTitles,
}: HandlerDeps): JobHandlers {
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
    'verify-npi': verifyNpi,
    'password-reset': passwordReset,
    'reviews-due': reviewsDue,
    'hold-disputed-reviews': holdDisputedReviews,
    retention,
    rewrite,
    'refresh-titles': refreshTitles,
  };
}
