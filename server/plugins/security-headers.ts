import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** `default-src` does not cover the other three. */
const NOTHING = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * The security headers of every response. Pages replace the content security policy with one that
 * has the hashes of their own inline scripts (server/pages/pages.ts).
 */
export async function securityHeaders(app: FastifyInstance) {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: NOTHING },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // For Internet Explorer and Flash only.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
  });
}

/** A policy that allows only what these directives list. */
export const contentPolicy = (allowed: Readonly<Record<string, string>>): string =>
  Object.entries({ ...NOTHING, ...allowed })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** The policy of a page with these inline script hashes (`sha256-…`). */
export const pagePolicy = (scriptHashes: readonly string[]): string =>
  contentPolicy({
    'script-src': ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'require-trusted-types-for': "'script'",
  });
