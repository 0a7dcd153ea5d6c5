import { useEffect, useEffectEvent, useState } from 'react';
import { EMPLOYER_MESSAGES } from '#contract/employers/employer-choices.ts';
import { type EmployerCandidate, EmployerName } from '#contract/employers/employers.ts';
import { titleCase } from '#contract/names.ts';
import { formatLocation } from '#web/lib/format.ts';
import { useOptionSearch } from '#web/lib/use-option-search.ts';
import { focusOn } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import type { ComboboxOption } from '#web/ui/combobox.tsx';
import { Field, TextArea } from '#web/ui/inputs.tsx';
import {
  EmployerCandidates,
  EmployerLabel,
  findEmployers,
  isNamed,
  newOne,
  PlaceFields,
  SimilarEmployers,
} from './employer-candidates.tsx';
import {
  type Failure,
  FieldFindings,
  type ReviewFormState,
  SearchField,
} from './review-failure.tsx';
import { ReviewForm } from './review-form.tsx';
import {
  customEmployer,
  EMPTY_REVIEW,
  type EmployerChoice,
  isCustom,
  isSameEmployer,
  newReviewDraft,
  type ReviewValues,
} from './review-values.ts';
import type { StoredReview } from './send-review.ts';

interface EmployerPickerProps {
  chosen: EmployerChoice | null;
  /** What was typed. Saved with the draft. */
  text: string;
  failure: Failure | null;
  onType: (text: string) => void;
  onChoose: (employer: EmployerChoice) => void;
  onModify: () => void;
}

/** A search field, locked once an employer is chosen (docs/product/reviews.md, "Posting a review"). */
function EmployerPicker({ chosen, onChoose, onModify, ...box }: EmployerPickerProps) {
  // Only a choice made here moves the focus, not one from the URL or a draft.
  const [wasUsed, setUsed] = useState(false);
  if (chosen === null) {
    return (
      <EmployerSearch
        {...box}
        hasFocus={wasUsed}
        onChoose={(employer) => {
          setUsed(true);
          onChoose(employer);
        }}
      />
    );
  }
  const shown = isCustom(chosen) ? chosen.name : titleCase(chosen.name);
  return (
    <Field label="Employer" hint={isCustom(chosen) ? '(Custom hospital)' : formatLocation(chosen)}>
      {(control) => (
        <div className="flex gap-3 max-sm:flex-col">
          <div className="grid grow *:[grid-area:1/1]">
            {/* As tall as the name: only new browsers size a text box by its text. */}
            <span aria-hidden className="invisible border px-3.5 py-2.5 wrap-anywhere">
              {shown}
            </span>
            <TextArea
              {...control}
              readOnly
              rows={1}
              name="employer"
              className="resize-none overflow-hidden wrap-anywhere"
              value={shown}
              ref={wasUsed ? focusOn : null}
            />
          </div>
          <Button
            variant="secondary"
            className="h-12"
            onClick={() => {
              setUsed(true);
              onModify();
            }}
          >
            Modify
          </Button>
        </div>
      )}
    </Field>
  );
}

function EmployerSearch({
  text,
  failure,
  hasFocus,
  onType,
  onChoose,
}: Omit<EmployerPickerProps, 'chosen' | 'onModify'> & { hasFocus: boolean }) {
  const { term, results, status, search } = useOptionSearch(findEmployers);
  const isAnswered = status === 'done' && term === text.trim();
  const options: ComboboxOption[] = results.map((employer) => ({
    key: String(employer.id),
    label: <EmployerLabel employer={employer} among={results} />,
    onChoose: () => onChoose(employer),
  }));
  const namesakes = isAnswered ? results.filter((known) => isNamed(known, text)) : [];
  const onlyNamesake = namesakes.length === 1 ? namesakes[0] : undefined;
  /** The text when Enter was pressed, which may be before the response arrives. */
  const [enteredText, setEnteredText] = useState<string | null>(null);
  const isEntered = enteredText === text;
  const chooseEntered = useEffectEvent(() => onlyNamesake && onChoose(onlyNamesake));
  useEffect(() => {
    if (isAnswered && isEntered) chooseEntered();
  }, [isAnswered, isEntered]);

  const custom = EmployerName.safeParse(text);
  if (isAnswered && custom.success) {
    options.push({
      key: 'custom',
      label: namesakes.length > 0 ? newOne(custom.data) : `${custom.data} (Custom hospital)`,
      onChoose: () => onChoose(customEmployer(custom.data)),
    });
  }
  return (
    <SearchField
      label="Employer"
      hint="Search by name or city. If it is not listed, you can add it."
      placeholder="Start typing"
      name="employer"
      text={text}
      failure={failure}
      onType={(typed) => {
        onType(typed);
        search(typed);
      }}
      onEnter={() => {
        setEnteredText(text);
        return onlyNamesake !== undefined || status === 'searching';
      }}
      ref={hasFocus ? focusOn : null}
      options={options}
      note={noteOf(status, text, results.length > 0)}
    />
  );
}

function noteOf(status: string, text: string, hasResults: boolean): string | null {
  if (status === 'failed') return EMPLOYER_MESSAGES.listFailed;
  if (hasResults) return null;
  if (status === 'searching') return 'Searching...';
  return status === 'done' ? `No employers found matching "${text.trim()}"` : null;
}

interface CreateReviewFormProps {
  userId: string;
  /** The employer in the URL. */
  preselected: EmployerChoice | null;
  /** The employers that have the name in the URL. */
  namesakes: readonly EmployerCandidate[];
  onEmployerUnlocked: () => void;
  onSent: (review: StoredReview) => void;
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
        chosen={employer}
        text={typed}
        failure={failure}
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
