import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import type { HeldDoctor } from '#server/features/accounts/service.ts';
import { holdProving, readProving } from '#server/features/verification/service.ts';

type WantedDeps = Pick<Deps, 'config' | 'keys'>;

/**
 * As `holdProving`, for a doctor whom a letter can help. After a first proof it cannot: a trainee then
 * needs a residency's mailbox or an administrator.
 */
export async function holdWantingLetter(
  deps: WantedDeps,
  trx: Db,
  userId: string,
): Promise<HeldDoctor> {
  const held = await holdProving(deps, trx, userId);
  if (held.evidence.proofs.length > 0) throw new AppError('nothing_to_prove');
  return held;
}

/** The same, without holding anybody up. */
export async function isLetterWanted(deps: WantedDeps, db: Db, userId: string): Promise<boolean> {
  const doctor = await readProving(deps, db, userId);
  return doctor?.evidence.proofs.length === 0;
}
