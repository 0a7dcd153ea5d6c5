import { useEffect, useEffectEvent, useState } from 'react';
import { EMPLOYER_MESSAGES } from '#contract/employer-choices.ts';
import { type Employer, EmployerName } from '#contract/employers.ts';
import type { Answer } from '#contract/endpoint.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { formatLocation } from '#web/lib/format.ts';
import { api } from '#web/lib/session.ts';
import { useOptionSearch } from '#web/lib/use-option-search.ts';
import { Button } from '#web/ui/button.tsx';
import type { ComboboxOption } from '#web/ui/combobox.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { customEmployer, type EmployerChoice, isCustom } from './review-values.ts';
import { SearchField } from './search-field.tsx';

interface EmployerPickerProps {
  name: string;
  chosen: EmployerChoice | null;
  /** What was typed. Saved with the draft. */
  text: string;
  isInvalid: boolean;
  error: string | undefined;
  onType: (text: string) => void;
  onChoose: (employer: EmployerChoice) => void;
  onModify: () => void;
}

type EmployerPage = Answer<typeof employerEndpoints.list>;
/** Older servers answer with the results alone (docs/product/reviews.md, "Posting a review"). */
type Found = EmployerPage | EmployerPage['results'];

const findEmployers = async (search: string, signal: AbortSignal) => {
  const query = { search, page_size: PAGE_SIZE };
  const found: Found = await api.call(employerEndpoints.list, { query, signal });
  return 'results' in found ? found.results : found;
};

/** A search field, locked once an employer is chosen (docs/product/reviews.md, "Posting a review"). */
export function EmployerPicker({ chosen, onChoose, onModify, ...box }: EmployerPickerProps) {
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
  return (
    <Field label="Employer" hint={isCustom(chosen) ? '(Custom hospital)' : formatLocation(chosen)}>
      {(control) => (
        <div className="flex gap-3 max-sm:flex-col">
          <TextArea
            {...control}
            readOnly
            rows={1}
            name={box.name}
            className="field-sizing-content resize-none"
            value={isCustom(chosen) ? chosen.name : titleCase(chosen.name)}
            ref={wasUsed ? focusOnMount : null}
          />
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

const focusOnMount = (input: HTMLElement | null) => input?.focus();

function EmployerSearch({
  name,
  text,
  isInvalid,
  error,
  hasFocus,
  onType,
  onChoose,
}: Omit<EmployerPickerProps, 'chosen' | 'onModify'> & { hasFocus: boolean }) {
  const { term, results, status, search } = useOptionSearch(findEmployers);
  const isAnswered = status === 'done' && term === text.trim();
  const options: ComboboxOption[] = results.map((employer) => ({
    key: String(employer.id),
    label: <EmployerLabel employer={employer} />,
    onChoose: () => onChoose(employer),
  }));
  const namesake = isAnswered ? onlyNamed(results, text) : undefined;
  /** The text when Enter was pressed, which may be before the response arrives. */
  const [enteredText, setEnteredText] = useState<string | null>(null);
  const isEntered = enteredText === text;
  const chooseEntered = useEffectEvent(() => namesake && onChoose(namesake));
  useEffect(() => {
    if (isAnswered && isEntered) chooseEntered();
  }, [isAnswered, isEntered]);

  const custom = EmployerName.safeParse(text);
  if (isAnswered && custom.success && !results.some((known) => isNamed(known, custom.data))) {
    options.push({
      key: 'custom',
      label: `${custom.data} (Custom hospital)`,
      onChoose: () => onChoose(customEmployer(custom.data)),
    });
  }
  return (
    <SearchField
      label="Employer"
      hint="Search by name or city. If it is not listed, you can add it."
      placeholder="Start typing"
      name={name}
      text={text}
      isInvalid={isInvalid}
      error={error}
      onType={(typed) => {
        onType(typed);
        search(typed);
      }}
      onEnter={() => {
        setEnteredText(text);
        return namesake !== undefined || status === 'searching';
      }}
      ref={hasFocus ? focusOnMount : null}
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

function EmployerLabel({ employer }: { employer: Employer }) {
  return (
    <>
      <span className="block font-semibold">{titleCase(employer.name)}</span>
      <span className="block text-xs text-ink-soft">
        {[employer.employer_type_display, formatLocation(employer)].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}

const isNamed = (employer: Employer, name: string) => keyOf(employer.name) === keyOf(name);

/** The employer with this name, if it is the only one. */
function onlyNamed(employers: readonly Employer[], name: string): Employer | undefined {
  const [first, second] = employers.filter((employer) => isNamed(employer, name));
  return second ? undefined : first;
}

/** The server compares names the same way: only letters and digits count. */
const keyOf = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
