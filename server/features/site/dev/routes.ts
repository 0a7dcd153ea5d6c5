import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { isLoopbackHost } from '#server/config/network.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { MAIL_PAGE_POLICY, mailPage } from './mail-page.ts';
import { answerNppes, listSample } from './sample-registry.ts';

const MessagesQuery = z.object({ to: z.string().optional() });
const MailQuery = z.object({ id: z.string().optional(), to: z.string().optional() });
const RegistryQuery = z.object({ version: z.string().optional(), number: z.string().optional() });

/** `/dev/…`, only on the embedded default and on loopback: sent mail and a sample NPI registry. */
export function devRoutes({ outbox }: { outbox: Pick<Outbox, 'list'> }): FastifyPluginAsyncZod {
  return async (app) => {
    const config = { access: 'public' } as const;
    const hide = true;

    // A web page could point its own host name at this machine to read this (DNS rebinding).
    app.addHook('onRequest', async (request) => {
      if (!isLoopbackHost(request.hostname)) throw new AppError('not_found');
    });

    app.get(
      '/dev/mail',
      { config, schema: { hide, querystring: MailQuery } },
      async ({ query: { id, to } }, reply) => {
        const mails = await outbox.list(to || undefined);
        reply.header('content-security-policy', MAIL_PAGE_POLICY).type('text/html; charset=utf-8');
        return mailPage(mails, { id, to: to || undefined });
      },
    );

    app.get(
      '/dev/mail/messages',
      { config, schema: { hide, querystring: MessagesQuery } },
      async ({ query: { to } }) => outbox.list(to),
    );

    app.get(
      '/dev/registry',
      { config, schema: { hide, querystring: RegistryQuery } },
      async ({ query: { version, number } }) => answerNppes(version, number),
    );

    app.get('/dev/registry/sample', { config, schema: { hide } }, async () => listSample());
  };
}
