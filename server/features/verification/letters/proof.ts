import { newPaperCode } from '#contract/accounts/recovery-code.ts';
import { LETTER_ATTEMPTS } from '#contract/limits.ts';
import { LETTER_CODE_LENGTH } from '#contract/verification/verification.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { isPaperCode } from '#server/anonymity/codes.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { HeldDoctor } from '#server/features/accounts/identity/profiles.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { holdProving, readProving, recordProof, wrongCode } from '../proofs.ts';
import {
  COLUMNS,
  enterableSince,
  findLetter,
  type LetterRow,
  letters,
  nextLetterFrom,
  openLetter,
  type Recipient,
} from './stored-letters.ts';

type LetterDeps = Pick<Deps, 'config' | 'keys'>;
type OrderDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'npiRegistry'>;

/**
 * Orders a letter with a code to the practice address in the registry. Replaces an earlier letter.
 * Throws `nothing_to_prove`, `letter_too_soon`, `no_practice_address`, and `registry_unavailable`.
 */
export async function orderLetter(deps: OrderDeps, userId: string): Promise<void> {
  const { db, keys, clock } = deps;
  // The registry lookup may take seconds. It runs without locks; the checks run again afterward.
  const { npi } = await inTransaction(db, (trx) => holdOrder(deps, trx, userId));
  const to = await findRecipient(deps, npi);
  await inTransaction(db, async (trx) => {
    const { before } = await holdOrder(deps, trx, userId);
    const sealed = letters.seal(keys, userId, {
      requested_on: toDay(clock()),
      city: to.city,
      page: { code: newPaperCode(LETTER_CODE_LENGTH), to },
    });
    const put = await trx
      .insertInto('letters')
      .values({ user_id: userId, sealed })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ sealed, printed_on: null, attempts: 0 })
          .where('letters.sealed', '=', before),
      )
      .returning('user_id')
      .executeTakeFirst();
    if (!put) throw new AppError('letter_too_soon');
  });
}

/** Locks the doctor, and returns the NPI and the letter to be replaced. */
async function holdOrder(deps: OrderDeps, trx: Db, userId: string) {
  const { npi } = await holdWantingLetter(deps, trx, userId);
  const row = await findLetter(trx, userId);
  const letter = row && openLetter(deps.keys, row);
  if (letter && toDay(deps.clock()) < nextLetterFrom(letter)) throw new AppError('letter_too_soon');
  return { npi, before: row?.sealed ?? Buffer.alloc(0) };
}

async function findRecipient({ npiRegistry }: OrderDeps, npi: string): Promise<Recipient> {
  const answer = await npiRegistry.lookUp(npi).catch((error: unknown) => {
    throw error instanceof RegistryUnavailable ? new AppError('registry_unavailable') : error;
  });
  const isActive = answer.kind === 'person' && answer.active;
  const [name] = isActive ? answer.names : [];
  if (!isActive || !name || !answer.practice) throw new AppError('no_practice_address');
  return { name: `${name.first} ${name.last}`, ...answer.practice };
}

/**
 * Like `holdProving`, for a doctor without a proof. A trainee with a first proof needs a residency
 * mailbox or an administrator instead.
 */
export async function holdWantingLetter(
  deps: LetterDeps,
  trx: Db,
  userId: string,
): Promise<HeldDoctor> {
  const held = await holdProving(deps, trx, userId);
  if (held.evidence.proofs.length > 0) throw new AppError('nothing_to_prove');
  return held;
}

/** The same without a lock. */
export async function isLetterWanted(deps: LetterDeps, db: Db, userId: string): Promise<boolean> {
  const doctor = await readProving(deps, db, userId);
  return doctor?.evidence.proofs.length === 0;
}

type ConfirmDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'jobs'>;

/** Accepts the code from a letter as proof. Throws `invalid_proof_code` and `nothing_to_prove`. */
export async function confirmLetter(deps: ConfirmDeps, userId: string, code: string) {
  // A rejected attempt also counts, so the error is thrown after the commit.
  const isRight = await inTransaction(deps.db, async (trx) => {
    await holdWantingLetter(deps, trx, userId);
    if (!(await tryCode(deps, trx, userId, code))) return false;
    await letters.remove(trx, userId);
    await recordProof(deps, trx, userId, { kind: 'letter' });
    return true;
  });
  if (!isRight) throw wrongCode();
}

async function tryCode({ keys, clock }: ConfirmDeps, trx: Db, userId: string, code: string) {
  const row = await trx
    .updateTable('letters')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('user_id', '=', userId)
    .where('printed_on', '>=', enterableSince(toDay(clock())))
    .where('attempts', '<', LETTER_ATTEMPTS)
    .returning(COLUMNS)
    .executeTakeFirst();
  const page = row && openLetter(keys, row)?.page;
  if (!page) return false;
  if (isPaperCode(page.code, code)) return true;
  if (row.attempts >= LETTER_ATTEMPTS) await wipe(keys, trx, row);
  return false;
}

/** Deletes code, name, and address of a letter that can no longer be used. */
async function wipe(keys: Deps['keys'], trx: Db, row: LetterRow): Promise<void> {
  const content = openLetter(keys, row);
  if (!content) return;
  const wiped = letters.seal(keys, row.user_id, { ...content, page: null });
  await letters.replace(trx, row.user_id, row.sealed, wiped);
}
