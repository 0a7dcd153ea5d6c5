import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Outbox } from '#server/mail/outbox.ts';
import { MAIL_PAGE_POLICY, mailPage } from './mail-page.ts';
import { answerNppes, listSample } from './sample-registry.ts';

const MessagesQuery = z.object({ to: z.string().optional() });
const MailQuery = z.object({ id: z.string().optional(), to: z.string().optional() });
const RegistryQuery = z.object({ version: z.string().optional(), number: z.string().optional() });

/**
 * `/dev/…`, on the embedded default only: the mail that was sent, and a sample NPI registry.
 * Never on a real server.
 */
export function devRoutes({ outbox }: { outbox: Pick<Outbox, 'list'> }): FastifyPluginAsync {
  return async (app) => {
    const config = { access: 'public' } as const;
    const schema = { hide: true };
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    app.get('/dev/mail', { config, schema }, async ({ query }, reply) => {
      const { id, to } = MailQuery.parse(query);
      const mails = await outbox.list(to);
      reply.header('content-security-policy', MAIL_PAGE_POLICY).type('text/html; charset=utf-8');
      return mailPage(mails, { id, to });
    });

    app.get('/dev/mail/messages', { config, schema }, async ({ query }) =>
      outbox.list(MessagesQuery.parse(query).to),
    );

    app.get('/dev/registry', { config, schema }, async ({ query }) => {
      const { version, number } = RegistryQuery.parse(query);
      return answerNppes(version, number);
    });

    app.get('/dev/registry/sample', { config, schema }, async () => listSample());
  };
}
