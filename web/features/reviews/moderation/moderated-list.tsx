import { type ReactNode, useState } from 'react';
import type { ModeratedReview } from '#contract/review-moderation.ts';
import { Banner } from '#web/ui/banner.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import type { Decision } from './decisions.ts';
import { ModeratedEntry } from './moderated-entry.tsx';

/** The button that had the focus is gone with its review. */
const focusOn = (element: HTMLElement | null) => element?.focus();

interface ModeratedListProps {
  reviews: readonly ModeratedReview[];
  /** How a review is set; the cards are another feature's. */
  card: (review: ModeratedReview['review'], actions: ReactNode) => ReactNode;
  emptyTitle: string;
}

/** Reviews with open reports, or removed ones. */
export function ModeratedList({ reviews, card, emptyTitle }: ModeratedListProps) {
  const [asked, ask] = useState<{ id: string; decision: Decision } | null>(null);
  const [done, setDone] = useState<string | null>(null);

  return (
    <>
      {done && (
        <Banner tone="success" ref={focusOn} tabIndex={-1} className="mb-8 outline-none">
          {done}
        </Banner>
      )}
      {reviews.length === 0 ? (
        <EmptyState title={emptyTitle}>Nothing waits for you here.</EmptyState>
      ) : (
        <ul className="flex flex-col gap-6">
          {reviews.map((moderated) => (
            <ModeratedEntry
              key={moderated.review.id}
              moderated={moderated}
              card={(actions) => card(moderated.review, actions)}
              onDecide={(decision) => {
                setDone(null);
                ask({ id: moderated.review.id, decision });
              }}
            />
          ))}
        </ul>
      )}
      {asked && (
        <DecisionDialog
          reviewId={asked.id}
          decision={asked.decision}
          onDone={(text) => {
            ask(null);
            setDone(text);
          }}
          onClose={() => ask(null)}
        />
      )}
    </>
  );
}
