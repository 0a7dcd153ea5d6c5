import { CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';

const WORDS = {
  create: {
    title: 'Review Submitted!',
    text: 'Thank you for sharing your experience. Your review is now live.',
    to: paths.dashboard({ newReview: true }),
  },
  schedule: {
    title: 'Review Scheduled!',
    text: `Thank you for sharing your experience. Your review will go live at a random time in the next ${PUBLISH_LATER_DAYS} days.`,
    to: paths.dashboard({ newReview: true }),
  },
  update: {
    title: 'Review Updated!',
    text: 'Your review has been successfully updated.',
    to: paths.dashboard({ updatedReview: true }),
  },
} as const;

interface ReviewSentProps {
  verb: keyof typeof WORDS;
  /** The new review, which the dashboard shows. */
  reviewId?: string;
  children?: ReactNode;
}

/** Replaces the form and takes the focus. */
export function ReviewSent({ verb, reviewId, children }: ReviewSentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, text, to } = WORDS[verb];

  useEffect(() => {
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div className="page-width flex flex-col items-center py-24 text-center">
      <CircleCheck aria-hidden className="size-14 text-accent" strokeWidth={1.25} />
      <h1 ref={heading} tabIndex={-1} className="mt-6 font-display text-3xl outline-none">
        {title}
      </h1>
      <p className="mt-4 max-w-measure text-ink-soft">{text}</p>
      <Link
        to={to}
        state={{ isScheduled: verb === 'schedule', reviewId }}
        className={buttonClass('primary', 'lg', 'mt-8')}
      >
        Go to my dashboard
      </Link>
      {children}
    </div>
  );
}
