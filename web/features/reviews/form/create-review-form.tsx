import { useState } from 'react';
import { useController } from 'react-hook-form';
import type { EmployerCandidate } from '#contract/employers.ts';
import { EmployerCandidates, PlaceFields, SimilarEmployers } from './employer-candidates.tsx';
import { EmployerPicker } from './employer-picker.tsx';
import { newReviewDraft } from './review-draft.ts';
import { FieldFindings } from './review-failure.tsx';
import { ReviewForm } from './review-form.tsx';
import {
  customEmployer,
  EMPTY_REVIEW,
  type EmployerChoice,
  isCustom,
  isSameEmployer,
  type ReviewFormState,
  type ReviewValues,
  type SentReview,
} from './review-values.ts';
import { type Failure, fieldError } from './submit-failure.ts';

interface CreateReviewFormProps {
  userId: string;
  /** The employer in the URL. */
  preselected: EmployerChoice | null;
  /** The employers that have the name in the URL. */
  namesakes: readonly EmployerCandidate[];
  onEmployerUnlocked: () => void;
  onSent: (review: SentReview) => void;
}

export function CreateReviewForm({
  userId,
  preselected,
  namesakes,
  onEmployerUnlocked,
  onSent,
}: CreateReviewFormProps) {
  const isUndecided = namesakes.length > 0;
  const [initial] = useState(() => withEmployer(EMPTY_REVIEW, preselected, isUndecided));
  const [draft] = useState(() => {
    const opened = newReviewDraft(userId, preselected);
    const { restored } = opened;
    return { ...opened, restored: restored && withEmployer(restored, preselected, isUndecided) };
  });
  return (
    <ReviewForm
      initial={initial}
      draft={draft}
      onSent={onSent}
      employer={(form, failure) => (
        <EmployerField
          form={form}
          failure={failure}
          namesakes={namesakes}
          onUnlocked={onEmployerUnlocked}
        />
      )}
    />
  );
}

interface EmployerFieldProps {
  form: ReviewFormState;
  failure: Failure | null;
  namesakes: readonly EmployerCandidate[];
  onUnlocked: () => void;
}

function EmployerField({ form, failure, namesakes, onUnlocked }: EmployerFieldProps) {
  const { control, setValue } = form;
  const { field: employer } = useController({ control, name: 'employer' });
  const { field: search } = useController({ control, name: 'employer_search' });
  const [preselectedName] = useState(search.value);
  const isUndecided = employer.value === null && search.value === preselectedName;
  function choose(choice: EmployerChoice) {
    setValue('employer_search', choice.name);
    employer.onChange(choiceOf(choice));
  }
  function chooseListed(choice: EmployerChoice) {
    choose(choice);
    onUnlocked();
  }
  return (
    <div>
      <EmployerPicker
        name={employer.name}
        chosen={employer.value}
        text={search.value}
        isInvalid={failure?.field === 'employer'}
        error={fieldError(failure, 'employer')}
        onType={search.onChange}
        onChoose={choose}
        onModify={() => {
          employer.onChange(null);
          onUnlocked();
        }}
      />
      <FieldFindings field="employer" text={search.value} failure={failure} />
      <EmployerCandidates
        name={search.value}
        candidates={failure?.candidates ?? (isUndecided ? namesakes : [])}
        onChoose={chooseListed}
        onNew={isUndecided ? () => choose(customEmployer(search.value)) : undefined}
      />
      {employer.value && isCustom(employer.value) && (
        <>
          <PlaceFields form={form} failure={failure} />
          {!failure?.candidates && (
            <SimilarEmployers form={form} name={employer.value.name} onChoose={chooseListed} />
          )}
        </>
      )}
    </div>
  );
}

/** `isUndecided`: others have the name of the preselected one, and no draft has chosen among them. */
function withEmployer(
  values: ReviewValues,
  employer: EmployerChoice | null,
  isUndecided: boolean,
): ReviewValues {
  if (!employer || (values.employer && isSameEmployer(values.employer, employer))) return values;
  const choice = isUndecided ? null : choiceOf(employer);
  return { ...values, employer: choice, employer_search: employer.name };
}

const choiceOf = ({ id, name, city, state }: EmployerChoice) => ({ id, name, city, state });
