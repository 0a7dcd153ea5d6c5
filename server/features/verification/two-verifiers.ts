import type { SharedDecision } from '#contract/office/case-queue.ts';
import type { StaffAct } from '#contract/office/logged-acts.ts';
import type { Refusal } from '#contract/verification/refusals.ts';
import { recordAct } from '#server/audit-log.ts';
import { lockNamedCase, openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import type { HeldDoctor } from '#server/features/accounts/identity/profiles.ts';
import { holdsByProof, otherClaims } from './claims.ts';
import { dropSharedDecisions, shareDecision } from './shared-decisions.ts';

export type ActDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'keys' | 'jobs'>;

/** Who decides, and why, for the audit log. */
export interface Decision {
  /** `cli`, or the id of the administrator's account. */
  readonly actor: string;
  readonly reason?: string | undefined;
  /** What the doctor is told if it is a refusal. */
  readonly refusal?: Refusal | undefined;
  /** The open case that it closes. */
  readonly caseId?: string | undefined;
  /** The version of the doctor that was read (`doctorVersion`). */
  readonly version?: string | undefined;
}

/** The cases that a decision about a doctor closes. */
export const casesOf = (account_id: string, { actor }: Pick<Decision, 'actor'>) => ({
  kinds: ['doctor', 'eviction'] as const,
  subject: { account_id },
  actor,
});

/** The first of two decisions: another verifier must confirm it on another day. */
export const AWAITS_SECOND = 'awaits second';
export type Awaiting = typeof AWAITS_SECOND;

/**
 * Says if a decision waits for a second verifier, because it takes the NPI from an account that
 * holds it by proof. Stores the first decision, with a case for the second one; the doctor does not
 * notice. A decision that may be carried out ends what waits, unless it is about posting alone.
 */
export async function awaitsSecond(
  deps: ActDeps,
  trx: Db,
  { actor, reason, caseId }: Decision,
  held: HeldDoctor,
  decision: SharedDecision,
): Promise<Awaiting | undefined> {
  const { clock } = deps;
  const accountId = held.user.id;
  if (await takesProvenNpi(deps, trx, held, decision)) {
    const subject = { account_id: accountId };
    const open = await lockNamedCase(trx, clock, caseId, casesOf(accountId, { actor }));
    const given = { accountId, decision, actor, reason: reason ?? null };
    if (!(await shareDecision(trx, clock, given))) {
      if (open === 0) await openCase(trx, clock, { kind: 'doctor', subject, priority: 2 });
      const act = actOf({ actor, reason }, 'doctor.decide-first', accountId);
      await recordAct(trx, clock, { ...act, details: { decision, ...act.details } });
      return AWAITS_SECOND;
    }
  }
  await dropSharedDecisions(trx, [held], decision === 'deny_posting' ? decision : undefined);
  return undefined;
}

/** Refusing to let a doctor post who is not verified right now also refuses verification. */
async function takesProvenNpi(
  { keys }: ActDeps,
  trx: Db,
  held: HeldDoctor,
  decision: SharedDecision,
): Promise<boolean> {
  if (decision === 'verify') return (await otherClaims(keys, trx, held)).some(holdsByProof);
  return holdsByProof(held) && !(decision === 'deny_posting' && held.doctor.verified);
}

export const actOf = ({ actor, reason }: Decision, action: StaffAct, subject: string) => ({
  actor,
  action,
  subject,
  ...(reason !== undefined && { details: { reason } }),
});
