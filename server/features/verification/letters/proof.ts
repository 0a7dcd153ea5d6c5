import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { newLetterCode } from './code.ts';
import { nextLetterFrom, openLetter, type Recipient, sealLetter } from './letter.ts';
import { findLetter, putLetter } from './queries.ts';
import { holdWantingLetter } from './wanted.ts';

type OrderDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock' | 'npiRegistry'>;

/**
 * Has a letter with a code printed, to the practice address that the registry has now. It takes the
 * place of an earlier one. Throws `nothing_to_prove`, `letter_too_soon`, `no_practice_address` and
 * `registry_unavailable`.
 */
export async function orderLetter(deps: OrderDeps, userId: string): Promise<void> {
  const { db, keys, clock } = deps;
  // The registry may take seconds: nothing is held meanwhile, and all is asked again afterwards.
  const { npi } = await inTransaction(db, (trx) => holdOrder(deps, trx, userId));
  const to = await findRecipient(deps, npi);
  await inTransaction(db, async (trx) => {
    const { before } = await holdOrder(deps, trx, userId);
    const sealed = sealLetter(keys, userId, {
      requested_on: toDay(clock()),
      city: to.city,
      page: { code: newLetterCode(), to },
    });
    const isPut = await putLetter(trx, { user_id: userId, sealed }, before);
    if (!isPut) throw new AppError('letter_too_soon');
  });
}

/** Whose letter it is, and the earlier one that it replaces. */
async function holdOrder(deps: OrderDeps, trx: Db, userId: string) {
  const { npi } = await holdWantingLetter(deps, trx, userId);
  const row = await findLetter(trx, userId);
  const letter = row && openLetter(deps.keys, row);
  if (letter && toDay(deps.clock()) < nextLetterFrom(letter)) throw new AppError('letter_too_soon');
  return { npi, before: row?.sealed ?? null };
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
