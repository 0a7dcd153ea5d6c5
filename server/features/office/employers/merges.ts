import type {
  EmployerMerge,
  EmployerMergePreview,
  EmployerMergeRequest,
  EmployerUnmerge,
  EmployerUnmergeRequest,
} from '#contract/employers/employer-curation.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import { decide } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { factsVersion, submission } from '#server/features/employers/curation/curation.ts';
import * as queries from '#server/features/employers/curation/merge-queries.ts';
import { readEmployer, readOne, requireNotRejected } from '#server/features/employers/queries.ts';
import { recheckRepresentatives } from '#server/features/replies/representatives/representatives.ts';
import {
  countReviews,
  lockReviews,
  moveReviews,
  returnReviews,
} from '#server/features/reviews/reviews.ts';

type MergeDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * What a merge would move. It does not count accounts that saved the employer, or scheduled
 * reviews: these follow automatically. Throws like `mergeEmployers`.
 */
export async function previewMerge(
  db: Db,
  from: number,
  into: number,
): Promise<EmployerMergePreview> {
  await checkMerge(db, from, into);
  const [leaving, staying, reviews, following] = await Promise.all([
    readEmployer(db, from),
    readEmployer(db, into),
    countReviews(db, from),
    queries.countFollowing(db, from),
  ]);
  const version = factsVersion(leaving, staying);
  return { from: leaving, into: staying, reviews, ...following, version };
}

/**
 * Merges two employers. All reviews move to `into`, and triggers update its ratings in the same
 * transaction. An author who reviewed both keeps both reviews: deleting one would show the
 * administrator that one person wrote them. Old links and the old name lead to `into`. For
 * `MERGE_UNDO_DAYS`, `unmergeEmployer` can undo it. Throws `not_found`, `validation_error`, and
 * `employer_rejected`.
 */
export async function mergeEmployers(
  deps: MergeDeps,
  actor: string,
  from: number,
  { into, reason, case_id, version }: EmployerMergeRequest,
): Promise<EmployerMerge> {
  const { clock } = deps;
  const moved_reviews = await decide(deps, {
    ...submission(from, actor),
    case_id,
    version,
    async lock(trx) {
      // A merge changes rows in no fixed order, so it locks the tables. Merges are rare and short.
      await queries.lockEmployers(trx);
      await checkMerge(trx, from, into);
      const read = [await readEmployer(trx, from), await readEmployer(trx, into)];
      // Representatives are locked before reviews, and cases after them, as elsewhere.
      await recheckRepresentatives(trx, clock, await queries.selectFollowing(trx, from));
      await lockReviews(trx);
      return read;
    },
    currentVersion: (read) => factsVersion(...read),
    async change(trx) {
      const moved_reviews = await moveReviews(trx, from, into);
      await queries.setMerged(trx, from, into, toDay(clock()));
      const details = { into, moved_reviews, reason };
      return { act: { action: 'employers.merge', details }, answer: moved_reviews };
    },
  });
  return { employer: await readEmployer(deps.db, into), moved_reviews };
}

/**
 * Undoes a merge. The reviews that name the employer move back, wherever they are now; those
 * written for the other one stay. Throws `not_found`, `merge_over` if it has already been
 * undone or is too old, and `employer_rejected` if the other one was.
 */
export async function unmergeEmployer(
  { db, clock }: MergeDeps,
  actor: string,
  id: number,
  { reason }: EmployerUnmergeRequest,
): Promise<EmployerUnmerge> {
  const returned_reviews = await inTransaction(db, async (trx) => {
    await queries.lockEmployers(trx);
    const { merged_into: current } = await readOne(trx, id);
    const merge = await queries.takeMerge(trx, id, queries.firstUndoable(clock()));
    if (!merge || current === null) throw new AppError('merge_over');
    // Its reviews are hidden with the others, and would stay hidden.
    await requireNotRejected(trx, [id]);
    const { followed } = merge;
    await recheckRepresentatives(trx, clock, [id, ...followed]);
    await lockReviews(trx);
    // First, because a review cannot belong to a merged employer.
    await queries.setUnmerged(trx, { id, current, followed });
    const returned_reviews = await returnReviews(trx, { current, id, followed });
    await recordAct(trx, clock, {
      actor,
      action: 'employers.unmerge',
      subject: String(id),
      details: { from: current, returned_reviews, reason },
    });
    return returned_reviews;
  });
  return { employer: await readEmployer(db, id), returned_reviews };
}

async function checkMerge(trx: Db, from: number, into: number) {
  if (from === into) throw fieldError('into', 'An employer cannot be merged into itself');
  const rows = await queries.selectMerges(trx, [from, into]);
  await requireNotRejected(trx, [from, into]);
  const [leaving, staying] = [from, into].map((id) => rows.find((row) => row.id === id));
  if (!leaving) throw new AppError('not_found');
  if (!staying) throw fieldError('into', 'There is no such employer');
  for (const [name, row] of Object.entries({ id: leaving, into: staying })) {
    if (row.merged_into !== null) {
      throw fieldError(name, `Employer ${row.id} has been merged into ${row.merged_into}`);
    }
  }
}

const fieldError = (field: string, message: string) =>
  new AppError('validation_error', { fields: { [field]: [message] } });
