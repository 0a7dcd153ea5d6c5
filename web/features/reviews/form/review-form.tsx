import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { AboutYouFields } from './about-you-fields.tsx';
import { FailureBanner } from './failure-banner.tsx';
import { focusFault } from './focus-field.ts';
import { FormSection } from './form-section.tsx';
import { PublishFields } from './publish-fields.tsx';
import { RatingFields } from './rating-fields.tsx';
import type { ReviewDraft } from './review-draft.ts';
import { ReviewRules } from './review-rules.tsx';
import { EditedReviewForm, faultText, NewReviewForm } from './review-schema.ts';
import {
  REVIEW_FIELDS,
  type ReviewFormState,
  type ReviewValues,
  type SentReview,
} from './review-values.ts';
import { type ReviewWrite, screenForm } from './send-review.ts';
import { type Failure, findingsFailure, submitFailure } from './submit-failure.ts';
import { TextFields } from './text-fields.tsx';

interface ReviewFormProps {
  /** Where there is no draft. */
  initial: ReviewValues;
  draft: ReviewDraft;
  /** The review to change; without it a new one is made. */
  reviewId?: string;
  employer: (form: ReviewFormState, failure: Failure | null) => ReactNode;
  onSent: (review: SentReview) => void;
}

/** docs/product/reviews.md, "Posting a review". */
export function ReviewForm({ initial, draft, reviewId, employer, onSent }: ReviewFormProps) {
  const form: ReviewFormState = useForm<ReviewValues, unknown, SentReview>({
    defaultValues: draft.restored ?? initial,
    resolver: zodResolver(reviewId === undefined ? NewReviewForm : EditedReviewForm),
    shouldFocusError: false,
    reValidateMode: 'onSubmit',
  });
  const { control, subscribe } = form;
  const element = useRef<HTMLFormElement>(null);
  const [isRestored, setRestored] = useState(draft.restored !== null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const verb = reviewId === undefined ? 'create' : 'update';
  const { send, isBusy } = useWrite<SentReview>((outcome) => {
    if ('ok' in outcome) onSent(outcome.ok);
    else setFailure(submitFailure(outcome.error, verb));
  });

  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback({ name, values }) {
          // Without a name nobody typed: the form was set up, or put back.
          if (name === undefined) return;
          setFailure(null);
          draft.save(values);
        },
      }),
    [subscribe, draft],
  );

  useEffect(() => {
    if (element.current && failure) focusFault(element.current, failure);
  }, [failure]);

  function submit(review: SentReview) {
    const findings = screenForm(review);
    if (findings.length > 0) return setFailure(findingsFailure(findings));
    setFailure(null);
    void send({ review, draftId: draft.id } satisfies ReviewWrite);
  }

  function showFirst(errors: FieldErrors<ReviewValues>) {
    const field = REVIEW_FIELDS.find((name) => errors[name]);
    // A new object each time, so that the same failure is scrolled to again.
    if (field) setFailure({ message: faultText(field, errors[field]?.message ?? ''), field });
  }

  function startOver() {
    form.reset(initial);
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
          <p>You had not sent this yet. Here it is, as you left it.</p>
          <button type="button" onClick={startOver} className="prose-link mt-1">
            {reviewId === undefined ? 'Discard the draft' : 'Discard the changes'}
          </button>
        </Banner>
      )}
      {failure && <FailureBanner failure={failure} />}
      <form ref={element} noValidate onSubmit={form.handleSubmit(submit, showFirst)}>
        <FormSection title="Select healthcare system *">{employer(form, failure)}</FormSection>
        <FormSection
          title="Rate this healthcare system"
          hint="From 1 to 5 stars. Choosing the same star again takes the rating back."
        >
          <RatingFields control={control} faultyField={failure?.field} />
        </FormSection>
        <FormSection title="Write your review">
          <TextFields form={form} failure={failure} />
        </FormSection>
        <FormSection
          title="Tell us about you"
          hint="Shown with the review. Your name and your NPI are not."
        >
          <AboutYouFields form={form} kept={initial} failure={failure} />
        </FormSection>
        {reviewId === undefined && (
          <FormSection title="Choose when to publish">
            <PublishFields form={form} />
          </FormSection>
        )}
        <div className="grid gap-x-12 gap-y-6 border-t border-rule py-10 lg:grid-cols-[15rem_1fr]">
          <div className="lg:col-start-2">
            <Button type="submit" size="lg" busy={isBusy} className="max-sm:w-full">
              {isBusy ? busyText : submitText}
            </Button>
            <div className="mt-8 max-w-[42rem]">
              <ReviewRules />
            </div>
          </div>
        </div>
      </form>
    </>
  );
}
