/**
 * Errors that the browser recognizes by status alone (docs/product.md, "Failed calls"). Part of the
 * table in contract/errors.ts, in its own file because every page loads it.
 */
export const TRANSPORT_ERRORS = {
  validation_error: { status: 400, text: 'Validation error' },
  permission_denied: {
    status: 403,
    text: 'You do not have permission to perform this action.',
  },
  not_found: { status: 404, text: 'The requested resource was not found.' },
  rate_limited: { status: 429, text: 'Rate limit exceeded. Please try again later.' },
  server_error: { status: 500, text: 'Server error. Please try again later.' },
} as const;
