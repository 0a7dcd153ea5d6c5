import { createHmac } from 'node:crypto';
import type { Keys, ReviewDeed } from './keys.ts';

/** What a locked account adds to its name: with neither of these can anyone make its keys. */
export interface LockedAuthor {
  /** 32 bytes that the browser keeps, and the server does not. */
  readonly secret: Buffer;
  /** 32 bytes of the account's row, sealed under the authorship key. */
  readonly salt: Buffer;
}

/** Whoever writes, votes and reports, by what names them there. */
export interface Author {
  /** What a locked author's keys are made with, beside the secret; null for an open one. */
  readonly salt: Buffer | null;
  /** `reviews.author_key`: 32 bytes under every key in use; the first is written. */
  readonly keys: readonly Buffer[];
  /** What was written under the keys of another author, and handed over, has this one. */
  keyOfHandedOver(former: Buffer, formerAuthor: Author): Buffer;
  /** The same for a vote on a review, or a report of it: bound to the one review. */
  deedKeys(deed: ReviewDeed, reviewId: string): Buffer[];
  /** Whom the limits on writing count. */
  readonly writer: string;
}

/** An author whom the authorship key names. */
export function openAuthor(
  keys: Pick<Keys, 'authorKey' | 'authorKeys' | 'deedKeys'>,
  userId: string,
): Author {
  return {
    salt: null,
    keys: keys.authorKeys(userId),
    keyOfHandedOver: () => keys.authorKey(userId),
    deedKeys: (deed, reviewId) => keys.deedKeys(deed, userId, reviewId),
    writer: userId,
  };
}

/** An author whom no key of the server names. */
export function lockedAuthor({ secret, salt }: LockedAuthor): Author {
  const root = hmac(secret, salt);
  // A dump from before the lock names what was written until then, and must lead to nothing later.
  const [written, handedOver] = [hmac(root, 'author'), hmac(root, 'author-before')];
  return {
    salt,
    keys: [written, handedOver],
    keyOfHandedOver: (former, { salt: isLocked, keys }) =>
      isLocked && keys[0]?.equals(former) ? written : handedOver,
    deedKeys: (deed, reviewId) => [hmac(root, `${deed}/${reviewId}`)],
    writer: hmac(root, 'write-limit').toString('base64url'),
  };
}

const hmac = (key: Buffer, value: string | Buffer) =>
  createHmac('sha256', key).update(value).digest();
