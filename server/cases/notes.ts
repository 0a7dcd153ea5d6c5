import type { CaseKind } from '#contract/cases.ts';
import type { StaffAct } from '#contract/office/logged-acts.ts';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { AppError } from '#server/errors/app-error.ts';
import { releaseCase, selectCase, subjectOf, type Viewer } from './queue.ts';

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
