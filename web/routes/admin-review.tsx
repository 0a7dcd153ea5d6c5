import { useState } from 'react';
import { CASE_KINDS } from '#contract/cases.ts';
import { moderationEndpoints } from '#contract/endpoints/moderation.ts';
import { titleCase } from '#contract/names.ts';
import { CaseHistory } from '#web/features/office/cases/case-history.tsx';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, OfficePage, orNotFound } from '#web/features/office/office-page.tsx';
import { moderationWrites } from '#web/features/reviews/moderation/decision-dialog.tsx';
import { ReplyFile, ReviewFile } from '#web/features/reviews/moderation/review-file.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import type { Route } from './+types/admin-review.ts';

export const meta = () => pageMeta('Review in the office');

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request, 'moderator');
  return orNotFound(api.call(moderationEndpoints.read, { params: { id: params.reviewId } }));
}

export const clientAction = moderationWrites.clientAction;

/** Any review and its reply. The office does not know who wrote them. */
export default function AdminReview({ loaderData }: Route.ComponentProps) {
  const { moderated, reply, decisions, cases } = loaderData;
  const { review } = moderated;
  const [done, setDone] = useState<string | null>(null);
  const of = (kind: (typeof cases)[number]['kind']) => ({
    onDecided: setDone,
    caseId: cases.find((one) => one.kind === kind)?.id,
  });
  // While an appeal is open, it is the only thing to decide about the review.
  const kind = moderated.appeal ? 'appeal' : 'report';
  return (
    <OfficePage
      title={titleCase(review.position_title)}
      label="Review"
      subtitle={titleCase(review.employer.name)}
      done={done}
    >
      {cases.map((open) => (
        <p key={open.id} className="mb-4">
          <Link to={paths.case(open.id)} className="prose-link">
            Open case: {CASE_KINDS[open.kind].toLowerCase()}
          </Link>
        </p>
      ))}
      <div className="curb-rule pt-6">
        <ReviewFile kind={kind} file={{ type: 'review', ...moderated }} {...of(kind)} />
      </div>
      {reply && (
        <section aria-label="Reply" className="curb-rule mt-8 pt-6">
          <ReplyFile file={{ type: 'reply', ...reply }} {...of('reply')} />
        </section>
      )}
      <CaseHistory decisions={decisions} acts={[]} />
    </OfficePage>
  );
}

export const ErrorBoundary = () => <OfficeError title="Review" what="the review" />;
