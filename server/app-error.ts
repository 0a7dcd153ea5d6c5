import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { RETRY_AFTER_S } from './time-outs.ts';

/** What is wrong, by field, in the order to show it. */
export type FieldErrors = Record<string, string[]>;

interface Options {
  /** Says more than the table's text does. Shown to the user. */
  detail?: string;
  fields?: FieldErrors;
  /** Further members of the problem (RFC 9457, section 3.2). */
  extra?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** An error response. `contract/errors.ts` has the status and the text of each code. */
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

/** The server is busy; `Retry-After` says when to try again. */
export const unavailable = (retryAfterSeconds: number = RETRY_AFTER_S) =>
  new AppError('unavailable', { retryAfterSeconds });
