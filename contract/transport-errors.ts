/**
 * The errors that the browser tells by their status alone (specification, section 8, "Transport-level"):
 * a part of the table in contract/errors.ts, and a file of its own since every page loads it.
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
