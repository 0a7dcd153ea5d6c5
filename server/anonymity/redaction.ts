import { REVIEW_TEXT_KEYS } from '#contract/review-choices.ts';

/** Fields that are never logged (docs/product.md, "Log redaction"). */
export const NEVER_LOGGED = [
  'password',
  'token',
  'refresh',
  'access',
  'npi',
  'license_number',
  'ssn',
  'phone',
  'salary',
  'compensation_rating',
  ...REVIEW_TEXT_KEYS,
  'email',
  'first_name',
  'last_name',
] as const;

/** Paths for pino's `redact`: each field on the first three levels. */
export const REDACTED_PATHS = NEVER_LOGGED.flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
]);

/** An error for the log, without its message: SMTP servers and PostgreSQL quote values in it. */
export function errorWithoutText(error: unknown) {
  const { name, stack, code, responseCode } = (
    error instanceof Error ? error : { name: typeof error }
  ) as Error & { code?: unknown; responseCode?: unknown };
  const frames = (stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return { type: name, message: '[not logged]', code, responseCode, stack: frames.join('\n') };
}
