import { createHash } from 'node:crypto';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem, toAppError } from '#server/plugins/problem-details.ts';
import { contentPolicy } from '#server/plugins/security-headers.ts';

const STYLE = `:root{color-scheme:light dark}
body{margin:0;padding:4rem 1.5rem;font:1.125rem/1.6 system-ui,sans-serif;
background:light-dark(#f8f8f4,#111715);color:light-dark(#1c2422,#e6ebe8)}
main{max-width:36rem;margin:0 auto}
h1{font-size:1.75rem;line-height:1.25}
a{color:light-dark(#0b5c4d,#7fd1bd)}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = contentPolicy({ 'style-src': `'sha256-${STYLE_HASH}'` });

const page = (text: string) => `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This page could not be loaded · Curbside</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>This page could not be loaded</h1>
<p>${text}</p>
<p><a href="">Try again</a></p>
</main>
</body>
</html>
`;

/**
 * The error handler of pages: a self-contained HTML page for browsers, and problem details for
 * other clients.
 */
export function pageProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const appError = toAppError(error);
  if (appError.code === 'server_error') request.log.error({ err: error }, 'request failed');
  const { retryAfterSeconds } = appError;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (!request.headers.accept?.includes('text/html')) return sendProblem(request, reply, appError);
  return reply
    .code(appError.status)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY })
    .type('text/html; charset=utf-8')
    .send(page(appError.message));
}
