import { useEffect, useEffectEvent } from 'react';
import type { EmployerCandidate } from '#contract/employers/employers.ts';
import { STATES } from '#contract/employers/states.ts';
import type { Answer } from '#contract/endpoint.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { CANDIDATES_MAX, CHOICE_MAX, PAGE_SIZE, SEARCH_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { plainLetters } from '#contract/plain-letters.ts';
import { formatLocation } from '#web/lib/format.ts';
import { api } from '#web/lib/session.ts';
import { useOptionSearch } from '#web/lib/use-option-search.ts';
import { Field, Select, TextInput } from '#web/ui/inputs.tsx';
import { FieldFindings, fieldError, type ReviewFormState } from './review-failure.tsx';
import type { EmployerChoice } from './review-values.ts';

type EmployerPage = Answer<typeof employerEndpoints.list>;
/** Older servers answer with the results alone (docs/product/reviews.md, "Posting a review"). */
type Found = EmployerPage | EmployerPage['results'];

async function listEmployers(search: string, page_size: number, signal?: AbortSignal) {
  const query = { search, page_size };
  const found: Found = await api.call(employerEndpoints.list, { query, ...(signal && { signal }) });
  return 'results' in found ? found.results : found;
}

export const findEmployers = (search: string, signal: AbortSignal) =>
  listEmployers(search, PAGE_SIZE, signal);

const SIMILAR = 3;

/** The employers that a new one may be. */
const findSimilar = (search: string, signal: AbortSignal) => listEmployers(search, SIMILAR, signal);

/** The employers that have this name. */
export const findNamesakes = async (name: string) =>
  (await listEmployers(name, CANDIDATES_MAX)).filter((employer) => isNamed(employer, name));

export const isNamed = (employer: { name: string }, name: string) =>
  keyOf(employer.name) === keyOf(name);

/** The server compares names the same way: case, accents, spaces, and punctuation do not count. */
const keyOf = (name: string) =>
  plainLetters(name.normalize('NFKD').toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');

type Labelled = EmployerCandidate & { employer_type_display?: string };

interface EmployerLabelProps {
  employer: Labelled;
  /** If another one has the same name and place, the street tells them apart. */
  among: readonly Labelled[];
}

export function EmployerLabel({ employer, among }: EmployerLabelProps) {
  const spelled = spellingOf(employer);
  const isAlone = among.every((one) => one.id === employer.id || spellingOf(one) !== spelled);
  const parts = [
    employer.employer_type_display,
    !isAlone && employer.address && titleCase(employer.address),
    formatLocation(employer) || 'No city or state',
  ];
  return (
    <>
      <span className="block font-semibold">{titleCase(employer.name)}</span>
      <span className="block text-xs text-ink-soft">{parts.filter(Boolean).join(' · ')}</span>
    </>
  );
}

const spellingOf = (employer: Labelled) =>
  `${employer.name}\n${formatLocation(employer)}`.toLowerCase();

export const newOne = (name: string) => `A new one: another ${name}`;

interface EmployerCandidatesProps {
  question?: string;
  name: string;
  candidates: readonly EmployerCandidate[];
  onChoose: (employer: EmployerChoice) => void;
  /** Absent if a new one needs another place. */
  onNew: (() => void) | undefined;
}

/** The employers that have the name that was given. */
export function EmployerCandidates({
  question = 'Which one is it?',
  name,
  candidates,
  onChoose,
  onNew,
}: EmployerCandidatesProps) {
  if (candidates.length === 0) return null;
  const choices = [
    ...candidates.map((employer) => ({
      key: employer.id,
      label: <EmployerLabel employer={employer} among={candidates} />,
      onClick: () => onChoose(employer),
    })),
    ...(onNew ? [{ key: 'new', label: newOne(name), onClick: onNew }] : []),
  ];
  return (
    <fieldset className="mt-4">
      <legend className="text-sm font-semibold">{question}</legend>
      <ul className="mt-2 flex flex-col gap-2">
        {choices.map(({ key, label, onClick }) => (
          <li key={key}>
            <button
              type="button"
              onClick={onClick}
              className="min-h-11 w-full rounded-md border border-control px-3.5 py-2 text-left text-sm wrap-anywhere hover:bg-sunken"
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface SimilarEmployersProps {
  name: string;
  city: string;
  state: string;
  onChoose: (employer: EmployerChoice) => void;
}

/** The employers in the directory that a new one may be, by its name and its place. */
export function SimilarEmployers({ name, city, state, onChoose }: SimilarEmployersProps) {
  const { results, search } = useOptionSearch(findSimilar);
  const searchNow = useEffectEvent(search);
  useEffect(
    () => searchNow([name, city, state].join(' ').slice(0, SEARCH_MAX)),
    [name, city, state],
  );
  return (
    <EmployerCandidates
      question="Or is it one of these in the directory?"
      name={name}
      candidates={results}
      onChoose={onChoose}
      onNew={undefined}
    />
  );
}

/** Where a new employer is. Optional. */
export function PlaceFields({ form: { values, failure, set } }: { form: ReviewFormState }) {
  return (
    <div className="mt-4">
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-[1fr_9rem]">
        <Field label="City" error={fieldError(failure, 'city')}>
          {(control) => (
            <TextInput
              {...control}
              name="city"
              value={values.city}
              onChange={({ target }) => set({ city: target.value })}
              maxLength={CHOICE_MAX}
              autoComplete="off"
              aria-invalid={failure?.field === 'city' || undefined}
            />
          )}
        </Field>
        <Field label="State" error={fieldError(failure, 'state')}>
          {(control) => (
            <Select
              {...control}
              name="state"
              value={values.state}
              onChange={({ target }) => set({ state: target.value })}
            >
              <option value="">Not given</option>
              {[...STATES].map((state) => (
                <option key={state} value={state}>
                  {state}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <p className="mt-2 text-xs text-ink-faint">
        Optional. They tell this employer apart from others of its name.
      </p>
      <FieldFindings field="city" text={values.city} failure={failure} />
    </div>
  );
}
