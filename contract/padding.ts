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
