import { finished } from 'node:stream';
import type { FastifyError, FastifyInstance } from 'fastify';
import { DOCUMENT_MESSAGES } from '#contract/legal-documents.ts';
import { DEMAND_DOCUMENT_BYTES } from '#contract/limits.ts';
import { AppError, unavailable } from '#server/errors/app-error.ts';

/** How many files one server reads at a time, because they stay in memory. */
const FILES_AT_ONCE = 4;

/** The routes of this plugin take one file, as it is, as their body. No other route takes as much. */
export function readFiles(app: FastifyInstance) {
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: DEMAND_DOCUMENT_BYTES },
    async (_request: unknown, body: Buffer) => new File([body as Buffer<ArrayBuffer>], ''),
  );
  app.setErrorHandler((error: FastifyError) => {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
    const { tooLarge } = DOCUMENT_MESSAGES;
    throw new AppError('payload_too_large', { detail: tooLarge, fields: { document: [tooLarge] } });
  });
  let reading = 0;
  app.addHook('preParsing', async (_request, reply) => {
    if (reading >= FILES_AT_ONCE) throw unavailable();
    reading += 1;
    // `finished` also reports responses whose client is gone.
    finished(reply.raw, () => {
      reading -= 1;
    });
  });
}
