import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Input } from '#contract/endpoint.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import type { OwnReview } from '#contract/reviews/reviews.ts';
import { Form } from '#web/form/form.tsx';
import { formatAverage, formatCount } from '#web/lib/format.ts';
import type { SignedIn } from '#web/lib/guards.ts';
import { Link } from '#web/lib/link.tsx';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { api, session, useSession } from '#web/lib/session.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';
import { call, pageWrites, useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { editDraft } from '../form/review-values.ts';

type OwnReviewsAnswer =
  | { reviews: OwnReview[] }
  | { failure: OwnReviewsFailure }
  | { isUnverified: true }
  /** A staff member who is not a doctor. */
  | { isStaff: true };

interface OwnReviewsFailure {
  message: string;
  isSignedOut: boolean;
}

/** The user's own reviews, or what to show instead (docs/product/reviews.md, "Own reviews"). */
export async function loadOwnReviews({ user, doctor }: SignedIn): Promise<OwnReviewsAnswer> {
  // The API would return 403.
  if (doctor?.verified === false) return { isUnverified: true };
  try {
    return { reviews: await api.call(reviewEndpoints.listOwn) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 403 && user.is_admin && doctor === null) return { isStaff: true };
    const isSignedOut = error.status === 401;
    return { failure: { message: messageOf(error.status), isSignedOut } };
  }
}

function messageOf(status: number | null): string {
  if (status === 401) return 'Authentication required. Please sign in to see your reviews.';
  return status === 403 ? REVIEW_MESSAGES.ownForbidden : REVIEW_MESSAGES.ownFailed;
}

/** Also discards the draft of an edit. */
async function deleteReview(input: Input<typeof reviewEndpoints.delete>): Promise<void> {
  await api.call(reviewEndpoints.delete, input);
  const { user } = session.get();
  if (user) editDraft(user.id, String(input.params.id)).discard();
}

/** The writes of both pages that list the user's own reviews. */
export const ownReviewWrites = pageWrites({
  appeal: call(reviewEndpoints.appeal),
  publish: call(reviewEndpoints.publish),
  delete: deleteReview,
  takeBack: deleteReview,
});

/** An action on a review that the user has to confirm. */
export interface OwnReviewQuestion {
  write: 'publish' | 'delete' | 'takeBack';
  reviewId: string;
}

const TEXTS = {
  delete: {
    title: 'Delete review',
    button: 'Delete',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmDelete,
    done: REVIEW_MESSAGES.deleted,
    failed: () => REVIEW_MESSAGES.deleteFailed,
  },
  takeBack: {
    title: 'Withdraw review',
    button: 'Withdraw',
    variant: 'danger',
    question: REVIEW_MESSAGES.confirmTakeBack,
    done: REVIEW_MESSAGES.takenBack,
    failed: () => REVIEW_MESSAGES.takeBackFailed,
  },
  publish: {
    title: 'Publish review',
    button: 'Publish now',
    variant: 'primary',
    question: REVIEW_MESSAGES.confirmPublish,
    done: REVIEW_MESSAGES.published,
    failed: ({ response }: ApiError) =>
      textMember(response?.body, 'detail') ?? REVIEW_MESSAGES.publishFailed,
  },
} as const;

interface ReviewDialogProps {
  asked: OwnReviewQuestion;
  onClose: () => void;
  onDone: () => void;
}

/**
 * Asks for confirmation, and writes (docs/product/reviews.md, "Editing and deleting a review").
 * Mount it only while it is open.
 */
function ReviewDialog({ asked, onClose, onDone }: ReviewDialogProps) {
  const { send, error } = useWrite(ownReviewWrites, asked.write, { onDone });
  const { title, button, variant, question, failed } = TEXTS[asked.write];
  return (
    <Form
      dialog={{ title }}
      fields={[]}
      action={{ text: button, variant }}
      error={error}
      failure={failed}
      onSubmit={() => send({ params: { id: asked.reviewId } })}
      onCancel={onClose}
    >
      <p>{question}</p>
    </Form>
  );
}

/** Render `dialog` next to the list, and `result`, what was done last, above it. */
export function useReviewDialog() {
  const [asked, setAsked] = useState<OwnReviewQuestion | null>(null);
  const [done, setDone] = useState<OwnReviewQuestion['write'] | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  function ask(question: OwnReviewQuestion) {
    setDone(null);
    setAsked(question);
  }

  useEffect(() => {
    // The button that had the focus is gone.
    if (done) heading.current?.focus();
  }, [done]);

  const dialog = asked && (
    <ReviewDialog
      asked={asked}
      onClose={() => setAsked(null)}
      onDone={() => {
        setAsked(null);
        setDone(asked.write);
      }}
    />
  );
  const result = done && (
    <Banner tone="success" role="alert" className="mb-6">
      {TEXTS[done].done}
    </Banner>
  );
  return { ask, dialog, heading, result };
}

export function NoReviews() {
  return (
    <EmptyState
      title="No reviews yet"
      action={
        <Link to={paths.reviewsCreate()} className={buttonClass()}>
          Write a review
        </Link>
      }
    >
      What you write stays anonymous, and you can edit or delete it here.
    </EmptyState>
  );
}

interface OwnReviewsOrWhyProps {
  answer: OwnReviewsAnswer;
  /** The page's own path, to which a login returns. */
  path: string;
  children: (reviews: readonly OwnReview[]) => ReactNode;
}

/** The list, or what to show instead. */
export function OwnReviewsOrWhy({ answer, path, children }: OwnReviewsOrWhyProps) {
  if ('isUnverified' in answer) return <StillVerifying />;
  if ('isStaff' in answer) return <StaffHasNone />;
  if ('failure' in answer) return <OwnReviewsFailed failure={answer.failure} path={path} />;
  return children(answer.reviews);
}

/** Whether the page may offer to write a review. */
export const canWrite = (answer: OwnReviewsAnswer) =>
  !('isUnverified' in answer || 'isStaff' in answer);

/** For a doctor who cannot have reviews yet. */
function StillVerifying() {
  const { doctor } = useSession();
  if (doctor?.verification.refusal) {
    return (
      <EmptyState
        title="Your account is not verified"
        action={
          <Link to={paths.verificationRequired()} className={buttonClass('secondary')}>
            See why, and how to object
          </Link>
        }
      >
        An administrator looked at your account, and decided not to verify it. You can still read
        every review.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="We are still verifying you"
      action={
        <Link to={paths.verificationRequired()} className={buttonClass('secondary')}>
          See the checks
        </Link>
      }
    >
      You can read every review now, and write your own once you are verified.
    </EmptyState>
  );
}

/** For a staff member who is not a doctor. */
function StaffHasNone() {
  return (
    <EmptyState
      title="No reviews of your own"
      action={
        <Link to={paths.office()} className={buttonClass('secondary')}>
          Go to the office
        </Link>
      }
    >
      {REVIEW_MESSAGES.ownForbidden}
    </EmptyState>
  );
}

function OwnReviewsFailed({ failure, path }: { failure: OwnReviewsFailure; path: string }) {
  const { revalidate, state } = useRevalidator();
  return (
    <div className="flex flex-col items-start gap-5">
      <Banner tone="error" className="w-full">
        {failure.message}
      </Banner>
      {failure.isSignedOut ? (
        <Link to={paths.login({ redirect: asRedirect(path) })} className={buttonClass()}>
          Sign in
        </Link>
      ) : (
        <Button variant="secondary" busy={state === 'loading'} onClick={() => void revalidate()}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function statisticsOf(
  reviews: readonly Pick<OwnReview, 'overall_rating' | 'would_recommend'>[],
) {
  const sum = reviews.reduce((total, { overall_rating }) => total + overall_rating, 0);
  return {
    total: reviews.length,
    recommended: reviews.filter(({ would_recommend }) => would_recommend).length,
    averageRating: reviews.length > 0 ? sum / reviews.length : null,
  };
}

export function StatisticsLine({ statistics }: { statistics: ReturnType<typeof statisticsOf> }) {
  const figures = [
    ['Total reviews', formatCount(statistics.total)],
    ['Recommended', formatCount(statistics.recommended)],
    ['Average rating', formatAverage(statistics.averageRating)],
  ] as const;
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-x-3 border-y sm:gap-x-0 border-ink">
      {figures.map(([term, figure]) => (
        <div
          key={term}
          className="flex flex-col-reverse justify-end py-4 sm:not-first:border-l sm:not-first:border-rule sm:not-first:pl-8"
        >
          <dt className="text-xs text-ink-soft sm:text-sm">{term}</dt>
          <dd className="font-display text-2xl lining-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
