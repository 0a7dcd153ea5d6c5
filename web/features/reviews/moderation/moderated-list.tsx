import { type ReactNode, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { ModeratedReview } from '#contract/review-moderation.ts';
import { Banner } from '#web/ui/banner.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import type { Decision } from './decisions.ts';
import { ModeratedEntry } from './moderated-entry.tsx';

interface ModeratedListProps {
  reviews: readonly ModeratedReview[];
  /** How a review is set; the cards are another feature's. */
  card: (review: ModeratedReview['review'], actions: ReactNode) => ReactNode;
  emptyTitle: string;
}

/** What waits for a decision, or was removed; after each decision it is loaded again. */
export function ModeratedList({ reviews, card, emptyTitle }: ModeratedListProps) {
  const { revalidate } = useRevalidator();
  const [asked, ask] = useState<{ id: string; decision: Decision } | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const news = useRef<HTMLDivElement>(null);

  async function finish(text: string) {
    ask(null);
    setDone(text);
    await revalidate();
    // The button that had the focus is gone with its review.
    news.current?.focus();
  }

  return (
    <>
      <div ref={news} tabIndex={-1}>
        {done && (
          <Banner tone="success" className="mb-8">
            {done}
          </Banner>
        )}
      </div>
      {reviews.length === 0 ? (
        <EmptyState title={emptyTitle}>Nothing waits for you here.</EmptyState>
      ) : (
        <ul className="flex flex-col gap-6">
          {reviews.map((moderated) => (
            <ModeratedEntry
              key={moderated.review.id}
              moderated={moderated}
              card={(actions) => card(moderated.review, actions)}
              onDecide={(decision) => ask({ id: moderated.review.id, decision })}
            />
          ))}
        </ul>
      )}
      {asked && (
        <DecisionDialog
          reviewId={asked.id}
          decision={asked.decision}
          onDone={(text) => void finish(text)}
          onClose={() => ask(null)}
        />
      )}
    </>
  );
}
