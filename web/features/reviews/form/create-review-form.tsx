import { useState } from 'react';
import type { EmployerCandidate } from '#contract/employers/employers.ts';
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
  type ReviewValues,
  type SentReview,
} from './review-values.ts';
import { fieldError, type ReviewFormState } from './submit-failure.ts';

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
      employer={(form) => (
        <EmployerField form={form} namesakes={namesakes} onUnlocked={onEmployerUnlocked} />
      )}
    />
  );
}

interface EmployerFieldProps {
  form: ReviewFormState;
  namesakes: readonly EmployerCandidate[];
  onUnlocked: () => void;
}

function EmployerField({ form, namesakes, onUnlocked }: EmployerFieldProps) {
  const { values, failure, set } = form;
  const { employer, employer_search: typed } = values;
  const [preselectedName] = useState(typed);
  const isUndecided = employer === null && typed === preselectedName;
  const choose = (choice: EmployerChoice) =>
    set({ employer: choiceOf(choice), employer_search: choice.name });
  function chooseListed(choice: EmployerChoice) {
    choose(choice);
    onUnlocked();
  }
  return (
    <div>
      <EmployerPicker
        name="employer"
        chosen={employer}
        text={typed}
        isInvalid={failure?.field === 'employer'}
        error={fieldError(failure, 'employer')}
        onType={(employer_search) => set({ employer_search })}
        onChoose={choose}
        onModify={() => {
          set({ employer: null });
          onUnlocked();
        }}
      />
      <FieldFindings field="employer" text={typed} failure={failure} />
      <EmployerCandidates
        name={typed}
        candidates={failure?.candidates ?? (isUndecided ? namesakes : [])}
        onChoose={chooseListed}
        onNew={isUndecided ? () => choose(customEmployer(typed)) : undefined}
      />
      {employer && isCustom(employer) && (
        <>
          <PlaceFields form={form} />
          {!failure?.candidates && (
            <SimilarEmployers {...values} name={employer.name} onChoose={chooseListed} />
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
