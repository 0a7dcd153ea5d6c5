import { useState } from 'react';
import { useController } from 'react-hook-form';
import { EmployerPicker } from './employer-picker.tsx';
import { newReviewDraft } from './review-draft.ts';
import { FieldFindings } from './review-failure.tsx';
import { ReviewForm } from './review-form.tsx';
import {
  EMPTY_REVIEW,
  type EmployerChoice,
  type ReviewFormState,
  type ReviewValues,
  type SentReview,
} from './review-values.ts';
import { type Failure, fieldError } from './submit-failure.ts';

interface CreateReviewFormProps {
  userId: string;
  /** The employer in the URL. */
  preselected: EmployerChoice | null;
  onEmployerUnlocked: () => void;
  onSent: (review: SentReview) => void;
}

export function CreateReviewForm({
  userId,
  preselected,
  onEmployerUnlocked,
  onSent,
}: CreateReviewFormProps) {
  const [initial] = useState(() => withEmployer(EMPTY_REVIEW, preselected));
  const [draft] = useState(() => {
    const opened = newReviewDraft(userId, preselected);
    return { ...opened, restored: opened.restored && withEmployer(opened.restored, preselected) };
  });
  return (
    <ReviewForm
      initial={initial}
      draft={draft}
      onSent={onSent}
      employer={(form, failure) => (
        <EmployerField form={form} failure={failure} onUnlocked={onEmployerUnlocked} />
      )}
    />
  );
}

function EmployerField({
  form: { control, setValue },
  failure,
  onUnlocked,
}: {
  form: ReviewFormState;
  failure: Failure | null;
  onUnlocked: () => void;
}) {
  const { field: employer } = useController({ control, name: 'employer' });
  const { field: search } = useController({ control, name: 'employer_search' });
  return (
    <div>
      <EmployerPicker
        name={employer.name}
        chosen={employer.value}
        text={search.value}
        isInvalid={failure?.field === 'employer'}
        error={fieldError(failure, 'employer')}
        onType={search.onChange}
        onChoose={(choice) => {
          setValue('employer_search', choice.name);
          employer.onChange(choice);
        }}
        onModify={() => {
          employer.onChange(null);
          onUnlocked();
        }}
      />
      <FieldFindings field="employer" text={search.value} failure={failure} />
    </div>
  );
}

const withEmployer = (values: ReviewValues, employer: EmployerChoice | null): ReviewValues =>
  employer ? { ...values, employer: choiceOf(employer), employer_search: employer.name } : values;

const choiceOf = ({ id, name, city, state }: EmployerChoice) => ({ id, name, city, state });
