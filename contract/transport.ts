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

const BLOCK_BYTES = 4096;
/** A review fits whose texts are as long as they may be, in plain letters. */
const SMALLEST_BYTES = 4 * BLOCK_BYTES;

/**
 * JSON followed by spaces (RFC 8259, section 2), so that its length on the wire does not tell which
 * review it contains: at least `SMALLEST_BYTES`, in whole blocks.
 */
export function padded(json: string): string {
  const length = new Blob([json]).size;
  const blocks = Math.ceil(length / BLOCK_BYTES);
  return json + ' '.repeat(Math.max(SMALLEST_BYTES, blocks * BLOCK_BYTES) - length);
}
