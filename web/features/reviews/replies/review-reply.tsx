import { lazy, Suspense, useState } from 'react';
import { titleCase } from '#contract/names.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { useSession } from '#web/lib/session.ts';

/** Loaded on demand, because it needs the contract's schemas. */
const ReportDialog = lazy(async () => ({
  default: (await import('../feedback/report-dialog.tsx')).ReportDialog,
}));

interface ReviewReplyProps {
  review: Review;
  /** True for readers. The page must then have the write for reports. */
  canReport: boolean;
}

/** The employer's reply, labeled and below the review. It names no person. */
export function ReviewReply({ review, canReport }: ReviewReplyProps) {
  const { user } = useSession();
  const [isReporting, setReporting] = useState(false);
  const { reply, employer } = review;
  if (!reply) return null;
  const name = titleCase(employer.name);
  return (
    <section
      aria-label={`Reply from ${name}`}
      className="flex max-w-[42rem] flex-col gap-2 border-l-3 border-control bg-sunken px-4 py-3"
    >
      <h4 className="text-sm font-semibold text-balance">Reply from {name}’s representative</h4>
      <p className="whitespace-pre-line lining-nums">{reply.text}</p>
      <div className="flex flex-wrap items-center gap-x-3 text-xs text-ink-faint">
        <span className="lining-nums">{formatLongDate(reply.replied_on)}</span>
        {canReport && user && !user.is_representative && (
          <button type="button" onClick={() => setReporting(true)} className="entry-action">
            Report reply
          </button>
        )}
      </div>
      {isReporting && (
        <Suspense>
          <ReportDialog
            reviewId={review.id}
            what="reply"
            about={name}
            onClose={() => setReporting(false)}
          />
        </Suspense>
      )}
    </section>
  );
}
