import type { Keys } from './keys.ts';
import { currentKey, seal, unsealOrNull } from './seal.ts';

interface Expiring<T> {
  value: T;
  expiresAt: number;
}

/** Seals a value with its expiry time, which would tell in the clear when the value was made. */
export function sealWithExpiry<T>(
  keys: Pick<Keys, 'sealing'>,
  context: string,
  value: T,
  { now, ttlMs }: { now: Date; ttlMs: number },
): Buffer {
  const expiring: Expiring<T> = { value, expiresAt: now.getTime() + ttlMs };
  return seal(currentKey(keys.sealing), context, expiring);
}

/** Opens what `sealWithExpiry` sealed. Returns null after the expiry, or if the key is gone. */
export function openUnexpired<T>(
  keys: Pick<Keys, 'sealing'>,
  context: string,
  sealed: Buffer,
  now: Date,
): T | null {
  const opened = unsealOrNull<Expiring<T>>(keys.sealing, context, sealed);
  return opened && now.getTime() < opened.expiresAt ? opened.value : null;
}
