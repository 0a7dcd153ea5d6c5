import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { Keys, SealingKey } from './keys.ts';

const VERSION = 1;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Values are padded to a multiple of this, so that their length does not identify them. */
const BLOCK_BYTES = 256;

interface SealOptions {
  blockBytes?: number;
  /** Random by default. Must never repeat for two different values under one key. */
  nonce?: Buffer;
}

export class SealError extends Error {}

/** Seals a value, padded so that its length does not identify it. */
export const seal = (
  key: SealingKey,
  context: string,
  value: unknown,
  { blockBytes = BLOCK_BYTES, nonce }: SealOptions = {},
): Buffer => sealBytes(key, context, padded(JSON.stringify(value), blockBytes), nonce);

/**
 * Seals bytes with AES-256-GCM (NIST SP 800-38D). They are bound to `context` (the row they belong
 * to), so that they do not open if moved to another row.
 * Layout: version, length of key id, key id, nonce (12 bytes), tag (16 bytes), ciphertext.
 */
export function sealBytes(
  key: SealingKey,
  context: string,
  plain: Buffer,
  nonce: Buffer = randomBytes(NONCE_BYTES),
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key.key), nonce);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const keyId = Buffer.from(key.id);
  return Buffer.concat([
    Buffer.from([VERSION, keyId.length]),
    keyId,
    nonce,
    cipher.getAuthTag(),
    sealed,
  ]);
}

/** Pads with spaces, which JSON allows at the end. */
function padded(json: string, blockBytes: number): Buffer {
  const length = Buffer.byteLength(json);
  return Buffer.from(json + ' '.repeat((blockBytes - (length % blockBytes)) % blockBytes));
}

/** The key that seals new values. The others only open existing ones. */
export function currentKey(keys: readonly SealingKey[]): SealingKey {
  const [current] = keys;
  if (!current) throw new Error('no sealing key');
  return current;
}

/** The id of the key that sealed a value. */
export function sealedWith(sealed: Buffer): string {
  return sealed.subarray(2, 2 + (sealed[1] ?? 0)).toString();
}

/** Opens a sealed value. Throws SealError if the key is missing or the value was changed. */
export const unseal = <T>(keys: readonly SealingKey[], context: string, sealed: Buffer): T =>
  JSON.parse(unsealBytes(keys, context, sealed).toString()) as T;

/** Opens sealed bytes. Throws SealError like `unseal`. */
export function unsealBytes(
  keys: readonly SealingKey[],
  context: string,
  sealed: Buffer,
): Buffer<ArrayBuffer> {
  const id = sealedWith(sealed);
  const key = keys.find((candidate) => candidate.id === id);
  if (sealed[0] !== VERSION || !key) throw new SealError(`no key "${id}" to open a sealed value`);
  const start = 2 + Buffer.byteLength(id);
  if (sealed.length < start + NONCE_BYTES + TAG_BYTES) throw new SealError('too short');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    createSecretKey(key.key),
    sealed.subarray(start, start + NONCE_BYTES),
  );
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(start + NONCE_BYTES, start + NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(start + NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    throw new SealError('a sealed value could not be opened: wrong key, or the value was changed');
  }
}

/** Like `unseal`, but returns null instead of throwing SealError. */
export function unsealOrNull<T>(
  keys: readonly SealingKey[],
  context: string,
  sealed: Buffer,
): T | null {
  try {
    return unseal<T>(keys, context, sealed);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

interface Expiring<T> {
  value: T;
  expiresAt: number;
}

/** Seals a value with its expiry time, which would reveal in the clear when the value was made. */
export function sealWithExpiry<T>(
  keys: Pick<Keys, 'sealing'>,
  context: string,
  value: T,
  { now, ttlMs }: { now: Date; ttlMs: number },
): Buffer {
  const expiring: Expiring<T> = { value, expiresAt: now.getTime() + ttlMs };
  return seal(currentKey(keys.sealing), context, expiring);
}

/** Opens a value from `sealWithExpiry`. Returns null after it expires, or if the key is gone. */
export function openUnexpired<T>(
  keys: Pick<Keys, 'sealing'>,
  context: string,
  sealed: Buffer,
  now: Date,
): T | null {
  const opened = unsealOrNull<Expiring<T>>(keys.sealing, context, sealed);
  return opened && now.getTime() < opened.expiresAt ? opened.value : null;
}
