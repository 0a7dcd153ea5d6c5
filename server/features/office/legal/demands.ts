import { searchedSubject } from '#contract/cases.ts';
import {
  DEMAND_MESSAGES,
  type DemandKind,
  type DemandOutcome,
  documentKind,
  documentRefusal,
  OPEN_OUTCOME,
} from '#contract/legal-demands/legal-demand-choices.ts';
import type {
  LegalDemand,
  LegalDemandCorrection,
  LegalDemandDecision,
  LegalDemandQuery,
  LegalDemandRequest,
} from '#contract/legal-demands/legal-demands.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import { decide, moveDueDate, openCase, releaseCases, versionOf } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { moderatedReviews } from '#server/features/reviews/moderation/moderated-reviews.ts';
import {
  type DemandRow,
  insertDemand,
  lockDemand,
  openDocument,
  putDocument,
  sealDocument,
  selectDemands,
  updateDemand,
} from '#server/legal-demands/demands.ts';

/** Demands as an owner sees them, in the same order. Deleted reviews are omitted. */
export async function toDemands(
  deps: Pick<Deps, 'db' | 'clock'>,
  rows: readonly DemandRow[],
): Promise<LegalDemand[]> {
  const ids = new Set(rows.flatMap(({ review_id }) => review_id ?? []));
  const reviews = new Map(
    (await moderatedReviews(deps, [...ids])).map(({ review }) => [
      review.id,
      {
        id: review.id,
        position_title: review.position_title,
        employer: review.employer.name,
        is_public: review.removed_reason === null,
      },
    ]),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as DemandKind,
    received_on: row.received_on,
    jurisdiction: row.jurisdiction,
    sender: row.sender,
    docket: row.docket,
    due_on: row.due_on,
    has_document: row.document_id !== null,
    is_gagged: row.gagged,
    outcome: row.outcome as DemandOutcome | null,
    decided_on: row.decided_on,
    review: reviews.get(row.review_id ?? '') ?? null,
    version: demandVersion(row),
  }));
}

const demandVersion = ({ kind, received_on, jurisdiction, review_id, ...row }: DemandRow) =>
  versionOf(
    ...[kind, received_on, jurisdiction, review_id, row.gagged, row.outcome],
    ...[row.sender, row.docket, row.due_on, row.document_id],
  );

type DemandDeps = Pick<Deps, 'db' | 'clock'>;
type DocumentDeps = DemandDeps & Pick<Deps, 'keys'>;

/** One page of all demands, and the number on all pages. */
export async function listDemands(
  deps: DemandDeps,
  query: LegalDemandQuery,
): Promise<{ demands: LegalDemand[]; count: number }> {
  const { rows, count } = await selectDemands(deps.db, query);
  return { demands: await toDemands(deps, rows), count };
}

/**
 * Records a demand, and opens its case. The author of the review is notified, unless the law
 * forbids that. Throws `validation_error` for a day in the future, and for a review that does not
 * exist.
 */
export function recordDemand(
  deps: DemandDeps,
  actor: string,
  { review, is_gagged: gagged, ...demand }: LegalDemandRequest,
): Promise<LegalDemand> {
  const { clock } = deps;
  if (demand.received_on > toDay(clock())) throw invalid('received_on', DEMAND_MESSAGES.future);
  return inTransaction(deps.db, async (trx) => {
    const review_id = await existingReview({ ...deps, db: trx }, review);
    const row = await insertDemand(trx, { ...demand, gagged, review_id });
    await openDemandCase(trx, deps, row);
    const details = { kind: row.kind, gagged };
    await recordAct(trx, clock, { actor, action: 'legal.receive', subject: row.id, details });
    return toDemand({ ...deps, db: trx }, row);
  });
}

/**
 * Records the outcome of a demand, and closes its case. That of a contested one is only released,
 * because it still needs a final outcome. Throws `not_found`, `case_closed`, `case_claimed`, and
 * `changed_meanwhile`.
 */
export function decideDemand(
  deps: DemandDeps,
  actor: string,
  id: string,
  { outcome, note, case_id, version }: LegalDemandDecision,
): Promise<LegalDemand> {
  const subject = { demand_id: id };
  return decide(deps, {
    kinds: ['legal'],
    subject,
    actor,
    case_id,
    version,
    async lock(trx) {
      const before = await lockDemand(trx, id);
      if (!before) return;
      const isOpen = before.outcome === null || before.outcome === OPEN_OUTCOME;
      if (!isOpen || before.outcome === outcome) throw new AppError('case_closed');
      return before;
    },
    leavesOpen: () => outcome === OPEN_OUTCOME,
    currentVersion: demandVersion,
    async change(trx) {
      if (outcome === OPEN_OUTCOME) await releaseCases(trx, 'legal', { demand_id: id });
      const row = await updateDemand(trx, id, { outcome, decided_on: toDay(deps.clock()) });
      return {
        act: { action: `legal.${outcome}`, details: { kind: row.kind, note } },
        answer: await toDemand({ ...deps, db: trx }, row),
      };
    },
  });
}

/**
 * Corrects which review a demand is about, and when it is due, whether decided or not: the notice to the
 * wrong author disappears, and the right author is notified, unless the law forbids that. Throws
 * `not_found`, and `validation_error` for a review that does not exist.
 */
export function correctDemand(
  deps: DemandDeps,
  actor: string,
  id: string,
  { review, note, ...given }: LegalDemandCorrection,
): Promise<LegalDemand> {
  return inTransaction(deps.db, async (trx) => {
    const before = await lockDemand(trx, id);
    if (!before) throw new AppError('not_found');
    const review_id = await existingReview({ ...deps, db: trx }, review);
    const { due_on = before.due_on } = given;
    if (review_id === before.review_id && due_on === before.due_on) {
      return toDemand({ ...deps, db: trx }, before);
    }
    const row = await updateDemand(trx, id, { review_id, due_on });
    await moveDueDate(trx, id, due_on);
    // Neither a receipt nor an outcome, so the public record does not count it. Without the review.
    const details = { note };
    await recordAct(trx, deps.clock, { actor, action: 'demand.correct', subject: id, details });
    return toDemand({ ...deps, db: trx }, row);
  });
}

/** Lets the author see the demand from now on. Throws `not_found`. */
export function liftGag(deps: DemandDeps, actor: string, id: string): Promise<LegalDemand> {
  return inTransaction(deps.db, async (trx) => {
    const before = await lockDemand(trx, id);
    if (!before) throw new AppError('not_found');
    if (!before.gagged) return toDemand({ ...deps, db: trx }, before);
    const row = await updateDemand(trx, id, { gagged: false });
    // Not an outcome, so the public record does not count it.
    await recordAct(trx, deps.clock, { actor, action: 'gag.lift', subject: id });
    return toDemand({ ...deps, db: trx }, row);
  });
}

const openDemandCase = (trx: Db, { clock }: DemandDeps, { id, due_on }: DemandRow) =>
  openCase(trx, clock, { kind: 'legal', subject: { demand_id: id }, priority: 1, dueOn: due_on });

/** The id of a published or removed review, given as its id or its URL; null if none is given. */
async function existingReview(deps: DemandDeps, given: string): Promise<string | null> {
  if (given === '') return null;
  const named = searchedSubject(given);
  const isReview = named !== null && 'review' in named;
  const [found] = isReview ? await moderatedReviews(deps, [named.review.toLowerCase()]) : [];
  if (!found) throw invalid('review', DEMAND_MESSAGES.review);
  return found.review.id;
}

/**
 * Stores the document of a demand, sealed, in place of an earlier one. Throws `not_found`, and
 * `validation_error` for what is not one.
 */
export async function addDocument(
  deps: DocumentDeps,
  actor: string,
  id: string,
  file: Blob,
): Promise<LegalDemand> {
  const refusal = await documentRefusal(file);
  if (refusal !== null) throw invalid('document', refusal);
  const sealed = await sealDocument(deps.keys, id, file);
  return inTransaction(deps.db, async (trx) => {
    const before = await lockDemand(trx, id);
    if (!before) throw new AppError('not_found');
    await putDocument(trx, id, sealed);
    const action = before.document_id === null ? 'demand.document' : 'demand.replace-document';
    // Neither a receipt nor an outcome, so the public record does not count it.
    await recordAct(trx, deps.clock, { actor, action, subject: id });
    const row = await lockDemand(trx, id);
    if (!row) throw new AppError('not_found');
    return toDemand({ ...deps, db: trx }, row);
  });
}

/** The document of a demand, under a fixed name. Throws `not_found`. */
export async function readDocument(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  id: string,
): Promise<File> {
  const bytes = await openDocument(keys, db, id);
  const kind = bytes && documentKind(bytes);
  if (!bytes || !kind) throw new AppError('not_found');
  return new File([bytes], kind.name, { type: kind.type });
}

const invalid = (field: string, message: string) =>
  new AppError('validation_error', { fields: { [field]: [message] } });

async function toDemand(deps: DemandDeps, row: DemandRow): Promise<LegalDemand> {
  const [demand] = await toDemands(deps, [row]);
  if (!demand) throw new AppError('not_found');
  return demand;
}
