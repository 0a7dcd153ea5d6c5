import type { Keys } from './keys.ts';
import { currentKey, SealError, seal, unseal } from './seal.ts';

interface Expiring<T> {
  value: T;
  expiresAt: number;
}

/** Seals a value with the time it is good for: in the clear, that time would tell when it was made. */
export function sealFor<T>(
  keys: Pick<Keys, 'sealing'>,
  context: string,
  value: T,
  { now, ttlMs }: { now: Date; ttlMs: number },
): Buffer {
  const expiring: Expiring<T> = { value, expiresAt: now.getTime() + ttlMs };
  return seal(currentKey(keys.sealing), context, expiring);
}

/** What `sealFor` sealed; null once its time is over, or its key is gone. */
export function openInTime<T>(
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
