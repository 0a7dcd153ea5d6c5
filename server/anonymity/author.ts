import { hmac, type Keys, type ReviewDeed } from './keys.ts';

/** What the keys of a locked account are derived from. Neither value alone is enough. */
export interface LockedAuthor {
  /** 32 bytes that only the browser keeps. */
  readonly secret: Buffer;
  /** 32 bytes each, sealed under the authorship key in the account's row; the current one first. */
  readonly salts: readonly [Buffer, ...Buffer[]];
}

/** All of an author's keys, also those from before a rotation; the current one first. */
export type AuthorKeys = readonly Buffer[];

/** The keys under which an account writes, votes, and reports. */
export interface Author {
  /** The current salt of a locked account's keys; null for an account that is not locked. */
  readonly salt: Buffer | null;
  /** `review_authors.author_key`: 32 bytes under every key in use. New reviews use the first. */
  readonly keys: AuthorKeys;
  /** The key for reviews that another author key of the same account hands over to this author. */
  keyOfHandedOver(former: Buffer, formerAuthor: Author): Buffer;
  /** The keys for a vote on, or report of, a review. Each is bound to that review. */
  deedKeys(deed: ReviewDeed, reviewId: string): Buffer[];
  /** The name under which rate limits count this author's writes. */
  readonly writer: string;
}

/** An author whose keys derive from the account's id and the authorship key. */
export function openAuthor(
  keys: Pick<Keys, 'authorKey' | 'authorKeys' | 'deedKeys'>,
  userId: string,
): Author {
  return {
    salt: null,
    // Computed at each use: a rotation may begin during a request.
    get keys() {
      return keys.authorKeys(userId);
    },
    keyOfHandedOver: () => keys.authorKey(userId),
    deedKeys: (deed, reviewId) => keys.deedKeys(deed, userId, reviewId),
    writer: userId,
  };
}

/** An author whose keys cannot be derived from the server's keys alone. */
export function lockedAuthor({ secret, salts: [salt, ...older] }: LockedAuthor): Author {
  const root = hmac(secret, salt);
  const olderRoots = older.map((one) => hmac(secret, one));
  const under = (name: string): [Buffer, ...Buffer[]] => [
    hmac(root, name),
    ...olderRoots.map((one) => hmac(one, name)),
  ];
  // A dump from before the lock shows who owns the reviews written until then. Later reviews get a
  // different key, so that the old dump does not lead to them.
  const [written, handedOver] = [under('author'), under('author-before')];
  return {
    salt,
    keys: [...written, ...handedOver],
    keyOfHandedOver: (former, { salt: isLocked, keys }) => {
      const isWritten = keys.slice(0, keys.length / 2).some((key) => key.equals(former));
      return isLocked && isWritten ? written[0] : handedOver[0];
    },
    deedKeys: (deed, reviewId) => under(`${deed}/${reviewId}`),
    writer: hmac(root, 'write-limit').toString('base64url'),
  };
}
