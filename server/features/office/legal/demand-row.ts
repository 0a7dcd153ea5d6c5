import type { DemandKind, DemandOutcome } from '#contract/legal-demands/legal-demand-choices.ts';
import type { LegalDemand } from '#contract/legal-demands/legal-demands.ts';
import { versionOf } from '#server/cases/version.ts';
import type { Deps } from '#server/deps.ts';
import { moderatedReviews } from '#server/features/reviews/moderation/moderated-reviews.ts';
import type { DemandRow } from '#server/legal-demands/demands.ts';

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

export const demandVersion = ({ kind, received_on, jurisdiction, review_id, ...row }: DemandRow) =>
  versionOf(
    ...[kind, received_on, jurisdiction, review_id, row.gagged, row.outcome],
    ...[row.sender, row.docket, row.due_on, row.document_id],
  );
