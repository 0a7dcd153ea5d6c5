import type { RemovedTexts as Removed } from '#contract/review-moderation.ts';
import { ReviewCard } from '#web/features/reviews/review-card.tsx';

/** A review whose text, or the reply to it, is removed, for an auditor. */
export function RemovedTexts({ texts: { review, is_removed, reply } }: { texts: Removed }) {
  return (
    <section aria-label="What was removed" className="curb-rule mt-10 pt-6">
      <h2 className="font-display text-xl">What was removed</h2>
      <p className="mt-2 max-w-measure text-sm text-ink-soft">
        {is_removed
          ? 'The review is not public. It stays here until it is restored, edited, or deleted.'
          : 'The reply is not public. It stays here until it is restored or deleted.'}
      </p>
      <div className="mt-6">
        <ReviewCard review={{ ...review, ...(reply && { reply }) }} isExpanded actions={false} />
      </div>
    </section>
  );
}
