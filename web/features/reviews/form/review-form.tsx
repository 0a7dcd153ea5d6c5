import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { NewTabLink } from '#web/ui/links.tsx';
import { AboutYouFields } from './about-you-fields.tsx';
import { LastWarning, NarrowingNotice } from './narrowing-notice.tsx';
import {
  type Failure,
  FailureBanner,
  findingsFailure,
  focusInvalidField,
  type ReviewFormState,
  submitFailure,
} from './review-failure.tsx';
import { PublishFields, RatingFields, TextFields } from './review-fields.tsx';
import type { ReviewDraft, ReviewValues } from './review-values.ts';
import {
  EditedReviewForm,
  firstFailure,
  NewReviewForm,
  reviewWrites,
  type StoredReview,
  screenForm,
} from './send-review.ts';

interface FormSectionProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

/** Laid out like a review, with the heading in the margin. */
function FormSection({ title, hint, children }: FormSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-6 border-t border-rule py-10 lg:grid-cols-[15rem_1fr]"
    >
      <div>
        <h2 id={id} className="font-display text-xl">
          {title}
        </h2>
        {hint && <p className="mt-2 text-sm text-ink-soft">{hint}</p>}
      </div>
      <div className="flex max-w-[42rem] min-w-0 flex-col gap-7">{children}</div>
    </section>
  );
}

/** The rules of a review (docs/product.md, "Purpose"). */
const RULES = [
  'Your name is never shown on reviews.',
  'You can edit or delete a review from your dashboard.',
  'Keep it professional, constructive and honest.',
  'No protected health information, patient details or defamatory content.',
  'Employer data comes from public and user-submitted sources and may be incomplete.',
];

interface ReviewFormProps {
  /** The values if there is no draft. */
  initial: ReviewValues;
  draft: ReviewDraft;
  /** The review to edit. Without it, a new one is created. */
  reviewId?: string;
  employer: (form: ReviewFormState) => ReactNode;
  onSent: (review: StoredReview) => void;
}

/** docs/product/reviews.md, "Posting a review". */
export function ReviewForm({ initial, draft, reviewId, employer, onSent }: ReviewFormProps) {
  const [values, setValues] = useState(draft.restored ?? initial);
  /** Several changes may come before the next render. */
  const latest = useRef(values);
  const element = useRef<HTMLFormElement>(null);
  const [isRestored, setRestored] = useState(draft.restored !== null);
  const [isSaved, setSaved] = useState(true);
  const [failure, setFailure] = useState<Failure | null>(null);
  const verb = reviewId === undefined ? 'create' : 'update';
  const { send, isBusy } = useWrite(reviewWrites, 'send', {
    onDone: onSent,
    onError: (error) => setFailure(submitFailure(error, verb)),
  });

  function set(change: Partial<ReviewValues>) {
    latest.current = { ...latest.current, ...change };
    setValues(latest.current);
    setFailure(null);
    const isChanged = JSON.stringify(latest.current) !== JSON.stringify(initial);
    if (!isChanged) draft.discard();
    setSaved(!isChanged || draft.save(latest.current));
  }
  const form: ReviewFormState = { values, failure, set };

  // A reload starts at the top, with the notice about the draft. The browser would scroll to where the
  // user was on the page while it was loading, which was shorter.
  useEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);

  useEffect(() => {
    if (element.current && failure) focusInvalidField(element.current, failure);
  }, [failure]);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const schema = reviewId === undefined ? NewReviewForm : EditedReviewForm;
    const { data: review, error } = schema.safeParse(values);
    if (!review) return setFailure(firstFailure(error.issues));
    const findings = screenForm(review);
    if (findings.length > 0) return setFailure(findingsFailure(findings));
    setFailure(null);
    void send({ review, draftId: draft.id, reviewId });
  }

  function startOver() {
    latest.current = initial;
    setValues(initial);
    draft.discard();
    setRestored(false);
    setFailure(null);
  }

  const [submitText, busyText] =
    reviewId === undefined
      ? ['Submit Review', 'Submitting Review...']
      : ['Update Review', 'Updating Review...'];
  return (
    <>
      {isRestored && (
        <Banner tone="info" className="mb-6">
          <p>We saved your draft. Pick up where you left off.</p>
          <button type="button" onClick={startOver} className="prose-link mt-1">
            {reviewId === undefined ? 'Discard draft' : 'Discard changes'}
          </button>
        </Banner>
      )}
      {failure && <FailureBanner failure={failure} />}
      <form ref={element} noValidate onSubmit={submit}>
        <FormSection title="Select healthcare system *">{employer(form)}</FormSection>
        <FormSection
          title="Rate this healthcare system"
          hint="From 1 to 5 stars. Tap the same star to clear it."
        >
          <RatingFields form={form} />
        </FormSection>
        <FormSection title="Write your review">
          <TextFields form={form} />
        </FormSection>
        <FormSection
          title="Tell us about you"
          hint="Shown with your review. Your name and NPI are not."
        >
          <AboutYouFields form={form} stored={initial} />
        </FormSection>
        <FormSection
          title="How many could have written this"
          hint="An estimate that only you see. It won’t stop you from posting, and we don’t store it."
        >
          <NarrowingNotice form={form} canSchedule={reviewId === undefined} />
        </FormSection>
        {reviewId === undefined && (
          <FormSection title="Choose when to publish">
            <PublishFields form={form} />
          </FormSection>
        )}
        <div className="grid gap-x-12 gap-y-6 border-t border-rule py-10 lg:grid-cols-[15rem_1fr]">
          <div className="lg:col-start-2">
            {!isSaved && (
              <Banner tone="error" className="mb-6">
                Your draft is not saved, because this browser’s storage is full. Submit it before
                you leave.
              </Banner>
            )}
            <LastWarning form={form} canSchedule={reviewId === undefined} />
            <Button type="submit" size="lg" busy={isBusy} className="max-sm:w-full">
              {isBusy ? busyText : submitText}
            </Button>
            <div className="mt-8 max-w-[42rem]">
              <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-ink-soft marker:text-ink-faint">
                {RULES.map((rule) => (
                  <li key={rule}>{rule}</li>
                ))}
              </ul>
              <p className="mt-3 text-sm text-ink-soft">
                Read more in the <NewTabLink to={paths.guidelines()}>Guidelines</NewTabLink> and in{' '}
                <NewTabLink to={paths.howItWorks()}>How it works</NewTabLink>.
              </p>
            </div>
          </div>
        </div>
      </form>
    </>
  );
}
