import type { Selectable } from 'kysely';
import {
  LETTER_ATTEMPTS,
  LETTER_ENTER_DAYS,
  LETTER_EVERY_DAYS,
  LETTER_WAIT_DAYS,
} from '#contract/limits.ts';
import type { Letter } from '#contract/verification/verification.ts';
import { addDays, toDay } from '#server/anonymity/coarse-time.ts';
import type { Keys } from '#server/anonymity/keys.ts';
import type { Db } from '#server/db/open.ts';
import { sealedTable } from '#server/db/sealed-table.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import type { PostalAddress } from '#server/npi-registry/registry.ts';

export type LetterRow = Selectable<DB['letters']>;

/** The registry's name and practice address. */
export interface Recipient extends PostalAddress {
  readonly name: string;
}

/** The sealed part of a letter. */
export interface LetterContent {
  readonly requested_on: string;
  readonly city: string;
  /** The printed data; null once the code can no longer be entered. */
  readonly page: { readonly code: string; readonly to: Recipient } | null;
}

/** Fits the longest address, so that the length reveals neither the address nor its deletion. */
const BLOCK_BYTES = 1024;

export const letters = sealedTable<LetterContent>({
  table: 'letters',
  context: 'letter',
  blockBytes: BLOCK_BYTES,
  keysOf: (keys) => keys.sealing,
});

/** Null if its key is gone. */
export const openLetter = (
  keys: Keys,
  { user_id, sealed }: Pick<LetterRow, 'user_id' | 'sealed'>,
) => letters.open(keys, user_id, sealed);

/** The last day to enter the code. */
export const lastDay = (printedOn: string) => addDays(printedOn, LETTER_ENTER_DAYS);

/**
 * The first day whose printed codes can still be entered. The last day to enter them ends in Hawaii
 * after it has ended in UTC.
 */
export const enterableSince = (today: string) => addDays(today, -LETTER_ENTER_DAYS - 1);

/** The first day another letter can be requested. */
export const nextLetterFrom = ({ requested_on }: Pick<LetterContent, 'requested_on'>) =>
  addDays(requested_on, LETTER_EVERY_DAYS);

/** The letter as shown to its recipient. */
export function toLetter(row: LetterRow, content: LetterContent, today: string): Letter {
  const { printed_on, attempts } = row;
  return {
    city: content.city,
    requested_on: content.requested_on,
    state: stateOf(row, today),
    enter_by: printed_on && lastDay(printed_on),
    attempts_left: Math.max(0, LETTER_ATTEMPTS - attempts),
  };
}

function stateOf({ printed_on, attempts }: LetterRow, today: string): Letter['state'] {
  if (printed_on === null) return 'waiting';
  if (attempts >= LETTER_ATTEMPTS) return 'no_attempts_left';
  return printed_on < enterableSince(today) ? 'expired' : 'sent';
}

/**
 * Whether a letter can be deleted: its code has expired, or has no attempts left and a new letter
 * can be requested, or it was not printed in time.
 */
function isObsolete(row: LetterRow, content: LetterContent, today: string): boolean {
  switch (stateOf(row, today)) {
    case 'waiting':
      return today > addDays(content.requested_on, LETTER_WAIT_DAYS);
    case 'sent':
      return false;
    case 'no_attempts_left':
      return today >= nextLetterFrom(content);
    case 'expired':
      return true;
  }
}

/** Deletes obsolete letters. */
export async function deleteObsoleteLetters({
  db,
  keys,
  clock,
}: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  const today = toDay(clock());
  for (const row of await selectLetters(db)) {
    const content = openLetter(keys, row);
    if (content && isObsolete(row, content, today)) await dropLetter(db, row.user_id, row.sealed);
  }
}

export const COLUMNS = ['user_id', 'sealed', 'printed_on', 'attempts'] as const;

export function findLetter(db: Db, userId: string) {
  return db.selectFrom('letters').select(COLUMNS).where('user_id', '=', userId).executeTakeFirst();
}

/** Deletes the letter unless it has been replaced. */
export async function dropLetter(db: Db, userId: string, sealed: Buffer): Promise<void> {
  await db
    .deleteFrom('letters')
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .execute();
}

function selectLetters(db: Db) {
  return db.selectFrom('letters').select(COLUMNS).orderBy('user_id').execute();
}
