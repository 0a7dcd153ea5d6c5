import { useMemo } from 'react';
import { Form, useLocation } from 'react-router';
import type { EmployerInsights } from '#contract/employers.ts';
import { titleCase } from '#contract/names.ts';
import { REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import { rememberSpecialty, useMineFirst } from '#web/lib/my-specialty.ts';
import { paths } from '#web/lib/paths.ts';
import { ChoiceField, OrderOptions, ShowButton } from '#web/listing/choice-field.tsx';
import { type Criteria, defineListing } from '#web/listing/criteria.ts';
import { type ListForm, useListForm } from '#web/listing/use-list-form.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import type { Origin } from './back-link.tsx';

/** The reviews on an employer's page. */
export const employerReviewListing = (employerId: number | string) =>
  defineListing({
    path: (query) => paths.employer(employerId, query),
    parameters: ['position_title', 'specialty', 'ordering'],
    orders: REVIEW_ORDERINGS,
  });

interface ReviewFiltersProps {
  employerId: number;
  criteria: Criteria;
  positions: EmployerInsights['position_titles'];
  specialties: EmployerInsights['specialties'];
}

export function ReviewFilters({
  employerId,
  criteria,
  positions,
  specialties,
}: ReviewFiltersProps) {
  const { state } = useLocation();
  const listing = useMemo(() => employerReviewListing(employerId), [employerId]);
  const form = useListForm(listing, criteria, {
    state: { ...(state as Origin | null), isFiltered: true } satisfies Origin,
  });
  return (
    <Form
      action={listing.path()}
      className="flex flex-wrap items-end gap-x-4 gap-y-3 pb-6 lining-nums print:hidden"
    >
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
        className="max-sm:basis-full"
        selectClassName="sm:max-w-80 sm:min-w-52"
      />
      <SpecialtyChoice form={form} specialties={specialties} />
      <Field label="Sort by" className="max-sm:basis-full">
        {(control) => (
          <Select
            {...control}
            name="ordering"
            value={form.values.ordering ?? listing.defaultOrder}
            onChange={({ target }) => form.choose({ ordering: target.value })}
            className="sm:min-w-44"
          >
            <OrderOptions orders={listing.orders} />
          </Select>
        )}
      </Field>
      <ShowButton />
    </Form>
  );
}

/** The specialties of the reviews, the visitor's own one first. */
function SpecialtyChoice({
  form,
  specialties,
}: Pick<ReviewFiltersProps, 'specialties'> & { form: ListForm }) {
  const names = useMemo(() => specialties.map(({ specialty }) => specialty), [specialties]);
  const counts = new Map(specialties.map(({ specialty, count }) => [specialty, count]));
  const choices = useMineFirst(names).map((specialty) => ({
    value: specialty,
    label: specialty,
    count: counts.get(specialty),
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
      className="max-sm:basis-full"
      selectClassName="sm:max-w-80 sm:min-w-52"
    />
  );
}
