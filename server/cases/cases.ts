import { createHash } from 'node:crypto';
import type { CaseKind, CasePriority } from '#contract/cases.ts';
import type { StaffAct } from '#contract/office/logged-acts.ts';
import type { ProofRequest } from '#contract/verification/proof-requests.ts';
import type { OwnProofRequest } from '#contract/verification/verification.ts';
import { type Clock, toDay, toMonth } from '#server/anonymity/coarse-time.ts';
import { type Act, recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { releaseCase, selectCase, subjectOf, type Viewer } from './queue.ts';

/** What a case is about. */
type CaseSubject =
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
  const ofOther = 'account_id' in subject ? 'week' : 'day';
  // A week would narrow down when a member was online, of which the log has only the month.
  const period = isByMember ? 'month' : ofOther;
  const opened_on = { day: toDay, week: mondayOf, month: toMonth }[period](now);
  const opened = { opened_on, period, decided_by: decidedBy, due_on: dueOn };
  await trx
    .insertInto('cases')
    .values({ kind, ...subject, priority, ...opened })
    .onConflict((conflict) =>
      conflict.constraint('cases_once').doUpdateSet((eb) => ({
        priority: eb.fn('least', ['cases.priority', 'excluded.priority']),
      })),
    )
    .execute();
}

/** Changes the last day to decide an open case about a demand. */
export async function moveDueDate(trx: Db, demand_id: string, due_on: string | null) {
  await trx.updateTable('cases').set({ due_on }).where('demand_id', '=', demand_id).execute();
}

/** The text that an open case is about has changed since it was opened. */
export async function markEdited(trx: Db, kind: CaseKind, review_id: string): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ edited: true })
    .where((eb) => eb.and({ kind, review_id, edited: false }))
    .execute();
}

/** A decision leaves the case open for another one, by anybody. */
export async function releaseCases(trx: Db, kind: CaseKind, subject: CaseSubject): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ holder: null })
    .where((eb) => eb.and({ kind, ...subject }))
    .execute();
}

/**
 * Locks the open cases of these kinds about a subject, for a decision. Returns how many there are. If two
 * decisions run at once, the second one waits here, and then finds what the first has left open. Throws
 * `case_closed` if the decision names a case that is not among them, and `case_claimed` if another
 * administrator has claimed one.
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
  const now = clock();
  const isHeld = open.some(
    ({ holder, held_until }) =>
      holder !== null && holder !== actor && held_until !== null && held_until > now,
  );
  if (isHeld) throw new AppError('case_claimed');
  return open.length;
}

/** Closes the open cases of these kinds about a subject, whoever has claimed them. Returns how many. */
export async function closeCases(
  trx: Db,
  { kinds, subject }: Omit<AboutCases, 'actor'>,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('cases')
    .where('kind', 'in', kinds)
    .where((eb) => eb.and(subject))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The Monday of the week, as `YYYY-MM-DD` (UTC). */
function mondayOf(moment: Date): string {
  const day = new Date(moment);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return toDay(day);
}

const VERSION_LENGTH = 16;

/**
 * Changes whenever what a decision is about changes. Computed when it is read, and never stored: a
 * stored hash would find a text that its author has replaced.
 */
export const versionOf = (...read: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(read)).digest('base64url').slice(0, VERSION_LENGTH);

/** Throws `changed_meanwhile` if a decision names another version than the current one. */
export function requireVersion(read: string | undefined, current: string): void {
  if (read !== undefined && read !== current) throw new AppError('changed_meanwhile');
}

/** What the log says; of the subject of the cases, unless it names another. */
export type DecidedAct = Pick<Act, 'action' | 'details'> & Partial<Pick<Act, 'subject'>>;

/** Who decides, about what, and what they read. */
export interface Decided<Before, Answer> extends AboutCases {
  /** The case that it closes; a command names none. */
  readonly case_id?: string | undefined;
  /** Without an open case, there is nothing to decide. */
  readonly needsCase?: boolean;
  /** The version of the subject that was read. */
  readonly version?: string | undefined;
  /** Locks the subject, and reads what the other steps need; undefined if there is no such subject. */
  lock(trx: Db): Promise<Before | undefined>;
  /** Stores the first of two decisions instead, and returns its answer; undefined if one is enough. */
  postpone?(trx: Db, before: Before): Promise<Answer | undefined>;
  /** Whether something else about the subject remains to be decided. */
  leavesOpen?(before: Before): boolean;
  /** The current version of what was read. */
  currentVersion?(before: Before, trx: Db): Promise<string | undefined> | string | undefined;
  /** Carries the decision out. Without `act`, nothing was left to decide. */
  change(trx: Db, before: Before): Promise<{ readonly act?: DecidedAct; readonly answer: Answer }>;
}

/**
 * Makes a decision in one transaction, always in this order: locks its subject, closes the cases,
 * requires that the subject is as it was read, changes it, and records the act. Throws `not_found`,
 * `case_closed`, `case_claimed`, `changed_meanwhile`, and what the steps throw.
 */
export function decide<Before, Answer>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { lock, postpone, leavesOpen, currentVersion, change, ...decision }: Decided<Before, Answer>,
): Promise<Answer> {
  const { case_id, needsCase, version, subject, actor } = decision;
  return inTransaction(db, async (trx) => {
    const before = await lock(trx);
    if (before === undefined) throw new AppError('not_found');
    const postponed = await postpone?.(trx, before);
    if (postponed !== undefined) return postponed;
    const open = await lockNamedCase(trx, clock, case_id, decision);
    if (needsCase && open === 0) throw new AppError('case_closed');
    if (!leavesOpen?.(before)) await closeCases(trx, decision);
    const current = version === undefined ? undefined : await currentVersion?.(before, trx);
    if (current !== undefined) requireVersion(version, current);
    const { act, answer } = await change(trx, before);
    const [id] = Object.values(subject);
    if (act) await recordAct(trx, clock, { actor, subject: String(id), ...act });
    return answer;
  });
}

/**
 * Marks a locked case as waiting for the answer of its person, and releases it. Throws `asked_today`
 * if the person was asked on the same day.
 */
export async function markAsked(
  trx: Db,
  clock: Clock,
  { id, asked, asked_by }: { id: string; asked: ProofRequest; asked_by: string },
): Promise<void> {
  const asked_on = toDay(clock());
  const { numUpdatedRows } = await trx
    .updateTable('cases')
    .set({ asked, asked_on, asked_by, answered: false, holder: null })
    .where('id', '=', id)
    .where('asked_on', 'is distinct from', asked_on)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('asked_today');
}

/**
 * The person of an account has done something, such as correcting a name or confirming a mailbox.
 * Cases that wait for an answer return to their place in the queue. When is not stored.
 */
export async function markAnswered(trx: Db, accountId: string): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ answered: true })
    .where('account_id', '=', accountId)
    .where('asked', 'is not', null)
    .where('answered', '=', false)
    .execute();
}

/** What the person of an account was asked for last, while the case is open. */
export async function ownProofRequest(db: Db, accountId: string): Promise<OwnProofRequest | null> {
  const row = await db
    .selectFrom('cases')
    .select(['asked', 'asked_on', 'answered as is_answered'])
    .where('account_id', '=', accountId)
    .where('asked', 'is not', null)
    .orderBy('asked_on', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row as OwnProofRequest | undefined) ?? null;
}

/** The log says that a note was written, but not what it says. */
const NOTE_ACTS: Record<CaseKind, StaffAct | null> = {
  report: 'note.review',
  appeal: 'note.review',
  // The log would show the moderator who decided that a second look was drawn.
  second_look: null,
  reply: 'note.reply',
  doctor: 'note.doctor',
  eviction: 'note.doctor',
  employer: 'note.employer',
  correction: 'note.employer',
  legal: 'note.legal',
  representative: 'note.representative',
};

/** The notes on a case, oldest day first. */
export const selectNotes = (db: Db, caseId: string) =>
  db
    .selectFrom('case_notes')
    .select(['written_by', 'written_on', 'text', 'is_question'])
    .where('case_id', '=', caseId)
    .orderBy('written_on')
    .orderBy('id')
    .execute();

/** Those of these cases that somebody asks a second person about. */
export async function casesWithQuestions(db: Db, caseIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('case_notes')
    .select('case_id')
    .distinct()
    .where('case_id', '=', anyOf('uuid', caseIds))
    .where('is_question', '=', true)
    .execute();
  return new Set(rows.map(({ case_id }) => case_id));
}

/**
 * Adds a note to an open case. A question to a second person also releases the writer's claim.
 * Throws `case_closed`.
 */
export function addNote(
  { db, clock }: { db: Db; clock: Clock },
  viewer: Viewer,
  id: string,
  { text, is_question }: { text: string; is_question: boolean },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    // A decision, which deletes the case, waits for this or comes first.
    await trx.selectFrom('cases').select('id').where('id', '=', id).forUpdate().execute();
    const open = await selectCase(trx, viewer, id);
    if (!open) throw new AppError('case_closed');
    const written_by = viewer.userId;
    const note = { case_id: id, written_by, written_on: toDay(clock()), text, is_question };
    await trx.insertInto('case_notes').values(note).execute();
    if (is_question) await releaseCase(trx, viewer, id);
    const action = NOTE_ACTS[open.kind as CaseKind];
    if (action === null) return;
    await recordAct(trx, clock, {
      actor: viewer.userId,
      action,
      subject: subjectOf(open),
    });
  });
}
