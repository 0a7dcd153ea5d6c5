import { inTransaction } from '#server/db/transaction.ts';
import { holderOf, otherClaims } from './claims.ts';
import { type ActDeps, type Decision, hold, record, refuse } from './decisions.ts';
import { ownsNpi } from './ownership.ts';
import { UNVERIFIED, updateDoctor } from './queries.ts';
import { bury, tombstoneOf, unearth } from './tombstones.ts';

/**
 * Keeps an NPI from being verified, now and after its account is gone. It may be somebody else's:
 * what another account holds is not banned, and in the mode `proof` neither is what only matched.
 * Throws `not_found`.
 */
export function ban(deps: ActDeps, decision: Decision, userId: string): Promise<{ npi: boolean }> {
  return inTransaction(deps.db, async (trx) => {
    const held = await hold(deps, trx, userId);
    const isBanned = (await tombstoneOf(deps, trx, held.npi))?.kind === 'banned';
    const isHeld = holderOf(await otherClaims(deps, trx, held), held, held.evidence) !== null;
    const isOwner = isBanned || (ownsNpi(deps.config, held) && !isHeld);
    if (isOwner) await bury(deps, trx, held.npi);
    await refuse(deps, trx, held);
    await updateDoctor(trx, userId, UNVERIFIED);
    await record(deps, trx, decision, 'doctor.ban', userId);
    return { npi: isOwner };
  });
}

/** Lifts the ban of an NPI, whatever account named it. False when there is none. */
export function unban(deps: ActDeps, decision: Decision, npi: string): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    if (!(await unearth(deps, trx, npi))) return false;
    // An NPI in the log would tell for ever whose ban it was.
    await record(deps, trx, decision, 'doctor.unban', 'npi');
    return true;
  });
}
