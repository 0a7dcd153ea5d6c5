import { TRANSPORT_ERRORS as ERRORS } from '#contract/transport.ts';

export interface TransportError {
  type:
    | 'NETWORK_ERROR'
    | 'RATE_LIMIT_ERROR'
    | 'VALIDATION_ERROR'
    | 'PERMISSION_ERROR'
    | 'NOT_FOUND_ERROR'
    | 'SERVER_ERROR'
    | 'API_ERROR';
  message: string;
  /** Seconds to wait; 429 only. */
  retryAfter?: number;
  /** 400 only: field -> messages, or the whole body if it has no `errors`. */
  errors?: unknown;
}

/** A response that is not a success, with its parsed body (null if it is not JSON). */
export interface FailedResponse {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

/** A property of a body, if it is text. */
export function textMember(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The table of docs/product.md, "Failed calls". Null means no response. */
export function transportError(response: FailedResponse | null): TransportError {
  if (response === null) {
    return {
      type: 'NETWORK_ERROR',
      message: 'Network error. Please check your internet connection.',
    };
  }
  const { status, body } = response;
  if (status === 429) return rateLimitError(response.retryAfter);
  if (status === 400) {
    const { errors } = (body ?? {}) as { errors?: unknown };
    return {
      type: 'VALIDATION_ERROR',
      message: textMember(body, 'message') ?? ERRORS.validation_error.text,
      errors: errors ?? body,
    };
  }
  if (status === 403) return { type: 'PERMISSION_ERROR', message: ERRORS.permission_denied.text };
  if (status === 404) return { type: 'NOT_FOUND_ERROR', message: ERRORS.not_found.text };
  if (status >= 500) return { type: 'SERVER_ERROR', message: ERRORS.server_error.text };
  return {
    type: 'API_ERROR',
    message:
      textMember(body, 'message') ?? textMember(body, 'detail') ?? 'An unexpected error occurred',
  };
}

function rateLimitError(retryAfter: string | null): TransportError {
  // The header may also be a date (RFC 9110, 10.2.3). Our server sends seconds; only those are shown.
  if (retryAfter === null || !/^\d+$/.test(retryAfter)) {
    return { type: 'RATE_LIMIT_ERROR', message: ERRORS.rate_limited.text };
  }
  return {
    type: 'RATE_LIMIT_ERROR',
    message: `Rate limit exceeded. Please try again in ${retryAfter} seconds.`,
    retryAfter: Number(retryAfter),
  };
}

/** What the API client throws. `response` is null if there was none. */
export class ApiError extends Error implements TransportError {
  override readonly name = 'ApiError';
  readonly type: TransportError['type'];
  readonly retryAfter?: number;
  readonly errors?: unknown;
  readonly response: FailedResponse | null;

  constructor(response: FailedResponse | null, cause?: unknown) {
    const { message, ...rest } = transportError(response);
    super(message, { cause });
    this.type = rest.type;
    if (rest.retryAfter !== undefined) this.retryAfter = rest.retryAfter;
    if (rest.errors !== undefined) this.errors = rest.errors;
    this.response = response;
  }

  get status(): number | null {
    return this.response?.status ?? null;
  }
}

/** The beginnings of how Chromium, Firefox, and WebKit say that a request or an import failed. */
const UNREACHABLE =
  /^(?:Failed to fetch|NetworkError|Load failed|error loading|Importing a module)/i;

/** Whether an error means that there was no response. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.response === null
    : error instanceof TypeError && UNREACHABLE.test(error.message);

/** For optional data: null if the API call failed. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
