import type { CaseKind, CasePriority } from '#contract/cases.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { toDay, toMonth } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';

/** What a case is about. */
export type CaseSubject =
  | { readonly review_id: string }
  | { readonly account_id: string }
  | { readonly employer_id: number }
  | { readonly demand_id: string };

/** The open cases that a decision is about. */
export interface AboutCases {
  readonly kinds: readonly CaseKind[];
  readonly subject: CaseSubject;
  /** An account id, or `cli`. */
  readonly actor: string;
}

interface NewCase {
  readonly kind: CaseKind;
  readonly subject: CaseSubject;
  readonly priority: CasePriority;
  /** Requested by a member: an author about their own review, or a reader about an employer. */
  readonly isByMember?: boolean;
  /** The moderator whose decision it is about; null if the account is deleted. */
  readonly decidedBy?: string | null;
  /** The last day to decide it. */
  readonly dueOn?: string | null;
}

/**
 * Opens a case, in the transaction of its cause. If one is already open, raises it to the priority
 * of the new one.
 */
export async function openCase(
  trx: Db,
  clock: Clock,
  { kind, subject, priority, isByMember = false, decidedBy = null, dueOn = null }: NewCase,
): Promise<void> {
  const now = clock();
  // The day would show when an account signed up, changed its name, or lost its NPI.
  const ofOther = 'account_id' in subject ? mondayOf(now) : toDay(now);
  // A week would narrow down when a member was online, of which the log has only the month.
  const opened_on = isByMember ? toMonth(now) : ofOther;
  await trx
    .insertInto('cases')
    .values({ kind, ...subject, priority, opened_on, decided_by: decidedBy, due_on: dueOn })
    .onConflict((conflict) =>
      conflict.constraint('cases_once').doUpdateSet((eb) => ({
        priority: eb.fn('least', ['cases.priority', 'excluded.priority']),
      })),
    )
    .execute();
}

/** The text that an open case is about has changed since it was opened. */
export async function markEdited(trx: Db, kind: CaseKind, review_id: string): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ edited: true })
    .where((eb) => eb.and({ kind, review_id, edited: false }))
    .execute();
}

/**
 * Throws `case_closed` unless this case about the subject is open. If two decisions run at once,
 * the second one waits here, and then finds the case closed.
 */
async function requireOpenCase(trx: Db, id: string, { kinds, subject }: AboutCases): Promise<void> {
  const open = await trx
    .selectFrom('cases')
    .select('id')
    .where('id', '=', id)
    .where('kind', 'in', kinds)
    .where((eb) => eb.and(subject))
    .forUpdate()
    .executeTakeFirst();
  if (!open) throw new AppError('case_closed');
}

/**
 * Locks the open cases of these kinds about a subject, for a decision that may leave them open.
 * Returns how many there are. Throws `case_closed` if the decision names a case that is not among
 * them, and `case_claimed` if another administrator has claimed one.
 */
export async function lockNamedCase(
  trx: Db,
  clock: Clock,
  caseId: string | undefined,
  { kinds, subject, actor }: AboutCases,
): Promise<number> {
  const open = await trx
    .selectFrom('cases')
    .select(['id', 'holder', 'held_until'])
    .where('kind', 'in', kinds)
    .where((eb) => eb.and(subject))
    .forUpdate()
    .execute();
  if (caseId !== undefined && !open.some(({ id }) => id === caseId)) {
    throw new AppError('case_closed');
  }
  throwIfHeld(open, clock, actor);
  return open.length;
}

/**
 * Closes the open cases of these kinds about a subject, in the transaction of the decision. Returns
 * how many there were. If two decisions run at once, the second one waits here, and finds no case.
 * Throws `case_claimed` if another administrator has claimed one. Without an actor, the case is
 * closed because there is nothing left to decide.
 */
export async function closeCases(
  trx: Db,
  clock: Clock,
  { kinds, subject, actor }: Omit<AboutCases, 'actor'> & Partial<Pick<AboutCases, 'actor'>>,
): Promise<number> {
  const closed = await trx
    .deleteFrom('cases')
    .where('kind', 'in', kinds)
    .where((eb) => eb.and(subject))
    .returning(['holder', 'held_until'])
    .execute();
  if (actor !== undefined) throwIfHeld(closed, clock, actor);
  return closed.length;
}

/** Throws `case_claimed` if another administrator has claimed one of the cases. */
function throwIfHeld(
  cases: readonly { holder: string | null; held_until: Date | null }[],
  clock: Clock,
  actor: string,
): void {
  const now = clock();
  const isHeld = cases.some(
    ({ holder, held_until }) =>
      holder !== null && holder !== actor && held_until !== null && held_until > now,
  );
  if (isHeld) throw new AppError('case_claimed');
}

/**
 * Closes the case that a decision names, if any, and the subject's others. Throws `case_closed` and
 * `case_claimed`.
 */
export async function closeNamedCase(
  trx: Db,
  clock: Clock,
  caseId: string | undefined,
  about: AboutCases,
): Promise<void> {
  if (caseId !== undefined) await requireOpenCase(trx, caseId, about);
  await closeCases(trx, clock, about);
}

/** The Monday of the week, as `YYYY-MM-DD` (UTC). */
function mondayOf(moment: Date): string {
  const day = new Date(moment);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return toDay(day);
}
