import type { OwnReview } from '#contract/reviews.ts';
import { formatMinute } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';

/** Above a review that nobody else can see yet. */
export function ScheduledNotice({ review: { status } }: { review: OwnReview }) {
  return (
    <Banner tone="info" className="mt-6 mb-6">
      {status === 'held' ? (
        <>
          <p className="font-semibold">Not published: only you can see this review.</p>
          <p>
            You may have another review of this employer in this position, or this one may contain
            patient or contact details. Edit it to schedule it again, or take it back.
          </p>
        </>
      ) : (
        <>
          <p className="font-semibold">Scheduled: only you can see this review.</p>
          <p>You can edit it, publish it now, or take it back until it goes live.</p>
        </>
      )}
    </Banner>
  );
}

export const WhenScheduled = ({ review: { status, created_at } }: { review: OwnReview }) =>
  status === 'held' ? (
    'Not published'
  ) : (
    <>
      Goes live <time dateTime={created_at}>{formatMinute(created_at)}</time>
    </>
  );
