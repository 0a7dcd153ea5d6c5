import type { Keys } from './keys.ts';
import { currentKey, SealError, seal, unseal } from './seal.ts';

interface Expiring<T> {
  value: T;
  expiresAt: number;
}

/** Seals a value together with its expiry: in the clear, the expiry would tell when it was made. */
export function sealWithExpiry<T>(
  keys: Pick<Keys, 'sealing'>,
  context: string,
  value: T,
  { now, ttlMs }: { now: Date; ttlMs: number },
): Buffer {
  const expiring: Expiring<T> = { value, expiresAt: now.getTime() + ttlMs };
  return seal(currentKey(keys.sealing), context, expiring);
}

/** What `sealWithExpiry` sealed; null if it has expired or its key is gone. */
export function openUnexpired<T>(
  keys: Pick<Keys, 'sealing'>,
  context: string,
  sealed: Buffer,
  now: Date,
): T | null {
  try {
    const { value, expiresAt } = unseal<Expiring<T>>(keys.sealing, context, sealed);
    return now.getTime() < expiresAt ? value : null;
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
