import { useId, useMemo } from 'react';
import { Form } from 'react-router';
import { concernLabel } from '#contract/concerns.ts';
import type { EmployerInsights } from '#contract/employers/employers.ts';
import { SEARCH_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/store.ts';
import { ChoiceField, OrderField, ShowButton } from '#web/listing/choice-field.tsx';
import { ChosenFilters } from '#web/listing/chosen-filters.tsx';
import { defineListing, RATING_LABELS, RATING_RANGE } from '#web/listing/criteria.ts';
import { SearchLine } from '#web/listing/search-line.tsx';
import { rememberSpecialty, useMineFirst } from '#web/listing/specialty-field.tsx';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { TextInput } from '#web/ui/inputs.tsx';

interface SearchBoxProps {
  form: ListForm;
  label: string;
  placeholder: string;
  className?: string;
}

/** The search of a list, with a button that submits the form. */
function SearchBox({ form, label, placeholder, className }: SearchBoxProps) {
  const id = useId();
  return (
    <div className={className}>
      <SearchLine id={id} label={label}>
        <TextInput
          id={id}
          type="search"
          name="search"
          placeholder={placeholder}
          value={form.values.search ?? ''}
          onChange={(event) => form.type({ search: event.target.value })}
          maxLength={SEARCH_MAX}
        />
      </SearchLine>
    </div>
  );
}

/** The reviews on an employer's page. */
export const employerReviewListing = (employerId: number | string) =>
  defineListing({
    path: (query) => paths.employer(employerId, query),
    parameters: [
      'search',
      'position_title',
      'specialty',
      'concern',
      'min_rating',
      'max_rating',
      'ordering',
    ],
    orders: REVIEW_ORDERINGS,
    range: RATING_RANGE,
    labels: {
      ...RATING_LABELS,
      position_title: titleCase,
      concern: concernLabel,
    },
  });

interface ReviewFiltersProps {
  form: ListForm;
  positions: EmployerInsights['position_titles'];
  /** Specialty -> number of reviews, the most common first. */
  specialties: Readonly<Record<string, number>>;
  headingId: string;
}

/** Search, filters, and order of an employer's reviews. A GET form, so it works without script. */
export function ReviewFilters({ form, positions, specialties, headingId }: ReviewFiltersProps) {
  return (
    <Form
      action={form.listing.path()}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
      className="flex flex-col gap-y-4 pb-6 lining-nums print:hidden"
    >
      <SearchBox form={form} label="Search these reviews" placeholder="For example, night float" />
      {/* Without script, these send what links have chosen. */}
      {['concern', 'min_rating', 'max_rating'].map(
        (name) =>
          form.values[name] && (
            <input key={name} type="hidden" name={name} value={form.values[name]} />
          ),
      )}
      <div className="flex flex-wrap items-end gap-3">
        <ChoiceField
          form={form}
          name="position_title"
          label="Position"
          any="All positions"
          choices={positions.map(({ title, count }) => ({
            value: title,
            label: titleCase(title),
            count,
          }))}
          className="min-w-0 flex-[1_1_9rem] sm:max-w-72"
        />
        <SpecialtyChoice form={form} specialties={specialties} />
        <OrderField form={form} />
        <ShowButton />
      </div>
      <ChosenFilters form={form} headingId={headingId} />
    </Form>
  );
}

/** Number of specialties that the server renders. */
const IN_PAGE = 20;

/** The specialties of the reviews, starting with the visitor's own. */
function SpecialtyChoice({
  form,
  specialties,
}: Pick<ReviewFiltersProps, 'specialties'> & { form: ListForm }) {
  const names = useMemo(() => Object.keys(specialties), [specialties]);
  const mineFirst = useMineFirst(names);
  // Some employers have a hundred specialties. To keep the page small, only the browser adds the
  // rare ones.
  const shown = useHydrated() ? mineFirst : mineFirst.slice(0, IN_PAGE);
  const choices = shown.map((specialty) => ({
    value: specialty,
    label: specialty,
    count: specialties[specialty],
  }));
  return (
    <ChoiceField
      form={{
        ...form,
        choose: (change) => {
          rememberSpecialty(change['specialty'] ?? '');
          form.choose(change);
        },
      }}
      name="specialty"
      label="Specialty"
      any="All specialties"
      choices={choices}
      className="min-w-0 flex-[1_1_9rem] sm:max-w-72"
    />
  );
}
