import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { describeFinding, type Finding } from '#contract/reviews/screening.ts';
import { RETRY_AFTER_S } from '#server/time-outs.ts';

/** Messages by field, in display order. */
export type FieldErrors = Record<string, string[]>;

interface Options {
  /** Replaces the table's text. Shown to the user. */
  detail?: string;
  fields?: FieldErrors;
  /** Extension members of the problem (RFC 9457, section 3.2). */
  extra?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** An error response. `contract/errors.ts` has the status and text of each code. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly extra: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: Options = {}) {
    super(options.detail ?? Object.values(options.fields ?? {})[0]?.[0] ?? ERRORS[code].text);
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.extra = options.extra;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The server is busy. Sends `Retry-After`. */
export const unavailable = (retryAfterSeconds: number = RETRY_AFTER_S) =>
  new AppError('unavailable', { retryAfterSeconds });

/** Throws `identifying_text` if screening found something. */
export function refuseIdentifyingText(findings: readonly Finding[], detail?: string): void {
  if (findings.length === 0) return;
  const fields: FieldErrors = {};
  for (const finding of findings) {
    fields[finding.field] = [...(fields[finding.field] ?? []), describeFinding(finding)];
  }
  throw new AppError('identifying_text', {
    ...(detail && { detail }),
    fields,
    extra: { findings },
  });
}
