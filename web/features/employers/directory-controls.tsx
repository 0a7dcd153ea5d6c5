import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Form } from 'react-router';
import { CATEGORY_ORDERINGS } from '#contract/employers/employer-choices.ts';
import type { EmployerFilterOptions } from '#contract/employers/employers.ts';
import { DIRECTORY_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import { paths } from '#web/lib/paths.ts';
import {
  type Choice,
  ChoiceField,
  inBrackets,
  OrderField,
  OrderOptions,
} from '#web/listing/choice-field.tsx';
import { ClearFilters, FilterToggle } from '#web/listing/chosen-filters.tsx';
import type { Criteria } from '#web/listing/criteria.ts';
import type { SuggestionPaths } from '#web/listing/search-combobox.tsx';
import { ListSearch } from '#web/listing/search-line.tsx';
import { SpecialtyField } from '#web/listing/specialty-field.tsx';
import { type ListForm, useListForm } from '#web/listing/use-list-form.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Checkbox, Field, Select, TextInput } from '#web/ui/inputs.tsx';
import { boundErrors, directoryListing, ratedByOf } from './directory-listing.ts';

interface FilterFieldsProps {
  form: ListForm;
  /**
   * Null if they failed to load. The fields then offer earlier options, or only the chosen values.
   */
  options: EmployerFilterOptions | null;
}

/**
 * Each choice shows its number of employers (docs/product/employers.md, "Employer filters"). With a
 * specialty, none does: counting within it reads the whole directory, again after each new review.
 */
function FilterFields({ form, options: latest }: FilterFieldsProps) {
  const [options, setOptions] = useState(latest);
  if (latest && latest !== options) setOptions(latest);
  const counts = form.values['specialty'] ? undefined : options?.counts;
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(7.5rem,100%),1fr))] gap-x-3 gap-y-5 lining-nums sm:grid-cols-2 sm:gap-x-6 lg:grid-cols-3">
      <div className="max-sm:col-span-full">
        <SpecialtyField
          value={form.values['specialty'] ?? ''}
          options={options?.specialties ?? null}
          onChoose={(specialty) => form.choose({ specialty })}
        />
      </div>
      <ChoiceFields form={form} options={options} counts={counts} />
      <Checkbox
        label={`Hospitals only${inBrackets(counts?.employer_types['hospital'])}`}
        name="hospitals_only"
        value="true"
        checked={form.values['hospitals_only'] === 'true'}
        onChange={({ target }) => form.choose({ hospitals_only: String(target.checked) })}
        className="self-end sm:min-h-12"
      />
      <Checkbox
        label="With reviews"
        name="has_reviews"
        value="true"
        checked={form.values['has_reviews'] === 'true'}
        onChange={({ target }) => form.choose({ has_reviews: String(target.checked) })}
        className="self-end sm:min-h-12"
      />
      <ChoiceField
        form={form}
        name="min_reviews"
        label="Minimum reviews"
        any="Any number"
        choices={MIN_REVIEWS}
      />
      <ChoiceField
        form={form}
        name="min_immigration_support_rating"
        label="Immigration support"
        any="Any rating"
        choices={REVIEW_FILTER_CHOICES.min_rating}
      />
      <Range form={form} of="beds" />
      <Range form={form} of="staff" />
    </div>
  );
}

const MIN_REVIEWS = ['3', '5', '10', '20'].map((value) => ({ value, label: `${value} or more` }));

/** Name, label, the label for no choice, and the key of the options and their counts. */
const CHOICES = [
  ['state', 'State', 'All states', 'states'],
  ['employer_type', 'Employer type', 'All types', 'employer_types'],
  ['ownership_type', 'Ownership', 'All types', 'ownership_types'],
  ['trauma_level', 'Trauma level', 'All levels', 'trauma_levels'],
  ['hospital_status', 'Hospital status', 'All statuses', 'hospital_statuses'],
  ['has_helipad', 'Helipad', 'Any', 'has_helipad'],
] as const;

const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

type Counts = EmployerFilterOptions['counts'] | undefined;

function ChoiceFields({ form, options, counts }: FilterFieldsProps & { counts: Counts }) {
  const known = { ...options, has_helipad: YES_OR_NO };
  return CHOICES.map(([name, label, any, key]) => {
    const ofEach: Readonly<Record<string, number>> = counts?.[key] ?? {};
    const choices = (known[key] ?? []).map((option): Choice => {
      const choice = typeof option === 'string' ? { value: option, label: option } : option;
      return { ...choice, count: ofEach[choice.value] };
    });
    const className = name === 'ownership_type' ? 'max-sm:col-span-full' : '';
    return <ChoiceField key={name} {...{ form, name, label, any, choices, className }} />;
  });
}

/** A minimum and a maximum. Text fields, so that a typo is kept and reported instead of dropped. */
function Range({ form, of }: { form: ListForm; of: 'beds' | 'staff' }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(5rem,100%),1fr))] gap-3 max-sm:col-span-full">
      <NumberField form={form} name={`min_${of}`} label={`Min ${of}`} />
      <NumberField form={form} name={`max_${of}`} label={`Max ${of}`} />
    </div>
  );
}

function NumberField({ form, name, label }: { form: ListForm; name: string; label: string }) {
  return (
    <Field label={label} error={form.errors[name]}>
      {(control) => (
        <TextInput
          {...control}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          value={form.values[name] ?? ''}
          onChange={({ target }) => form.type({ [name]: target.value })}
          onBlur={form.endTyping}
        />
      )}
    </Field>
  );
}

/** Wide enough for filters in the page (`md` in docs/product.md, "Layout and navigation"). */
const WIDE = '(min-width: 48rem)';

interface DirectoryControlsProps {
  criteria: Criteria;
  /** Passes the options to the fields once they are loaded. */
  withOptions: (fields: (options: EmployerFilterOptions | null) => ReactNode) => ReactNode;
  /** The label of the button that closes the sheet: 'Show 12 employers'. */
  closeLabel: ReactNode;
}

/**
 * Search, filters, and order. A GET form, so it works without script. The filters open in the page,
 * or on a phone in a sheet.
 */
export function DirectoryControls({ criteria, withOptions, closeLabel }: DirectoryControlsProps) {
  const form = useListForm(directoryListing, criteria, {
    typingPauseMs: DIRECTORY_SEARCH_DEBOUNCE_MS,
    validate: boundErrors,
  });
  const panelId = useId();
  const [open, setOpen] = useState<'panel' | 'sheet' | null>(
    Object.keys(form.errors).length > 0 ? 'panel' : null,
  );
  const toggle = () => setOpen(open ? null : window.matchMedia(WIDE).matches ? 'panel' : 'sheet');
  const ratedBy = ratedByOf(form.values);
  const fields = withOptions((options) => <FilterFields form={form} options={options} />);
  const clear = <ClearFilters form={form} className="prose-link py-1 text-sm" />;

  return (
    <>
      <Form
        action={paths.employers()}
        role="search"
        aria-label="Employers"
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
        className="py-6 print:hidden"
      >
        {/* On a wide page, the two columns of the cards below. */}
        <div className="flex flex-wrap items-end gap-3 lg:grid lg:grid-cols-2 lg:gap-x-16">
          <div className="flex items-end gap-3 max-lg:contents">
            <ListSearch
              form={form}
              label="Search employers"
              placeholder="Name, city, specialty or address"
              paths={suggestionPaths(form.values)}
              className="min-w-0 flex-1 max-lg:basis-full"
              isShort
            />
            <FilterToggle
              count={directoryListing.chosenFilters(criteria).length}
              aria-expanded={open !== null}
              aria-controls={panelId}
              onClick={toggle}
            >
              <ChevronDown
                aria-hidden
                className={cx('size-4 transition-transform max-xl:hidden', open && 'rotate-180')}
              />
            </FilterToggle>
          </div>
          <div className="contents md:grid md:flex-1 md:grid-cols-2 md:gap-4">
            <OrderField form={form} shown={ratedBy ? '-overall_rating' : undefined} />
            <RatedByField form={form} />
          </div>
        </div>
        <div
          id={panelId}
          className={cx(
            'mt-4 rounded-md border border-rule bg-raised p-5 sm:p-7',
            open !== 'panel' && 'hidden noscript:block',
          )}
        >
          <div className="mb-4 flex min-h-7 items-baseline justify-between gap-4">
            <h2 className="font-display text-xl">Filters</h2>
            {clear}
          </div>
          {fields}
          <div className="mt-6 hidden noscript:block">
            <Button type="submit">Apply filters</Button>
          </div>
        </div>
      </Form>
      {open === 'sheet' && (
        <Dialog
          title="Filters"
          isSheet
          onClose={() => setOpen(null)}
          actions={
            <>
              {clear}
              <Button onClick={() => setOpen(null)}>{closeLabel}</Button>
            </>
          }
        >
          {fields}
        </Dialog>
      )}
    </>
  );
}

/** The category of the order. After "Sort by", so that it wins in a form that is sent without script. */
function RatedByField({ form }: { form: ListForm }) {
  const id = useId();
  return (
    <div className="flex min-w-0 items-center gap-3 max-md:basis-full md:flex-col md:items-stretch md:gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold whitespace-nowrap">
        Rated by
      </label>
      <Select
        id={id}
        name="ordering"
        value={ratedByOf(form.values) ? form.values.ordering : ''}
        onChange={({ target: { value } }) => form.choose({ ordering: value || '-overall_rating' })}
        className="min-w-0 flex-1"
      >
        <option value="">Overall</option>
        <OrderOptions orders={CATEGORY_ORDERINGS} />
      </Select>
    </div>
  );
}

/**
 * A suggested specialty becomes a filter and replaces the search. Positions and reviews are on
 * another page.
 */
function suggestionPaths({ search: _, ...filters }: Criteria): SuggestionPaths {
  return {
    employers: (search) => paths.employers(directoryListing.tidy({ ...filters, search })),
    specialty: (specialty) => paths.employers(directoryListing.tidy({ ...filters, specialty })),
    position: (position_title) => paths.reviews({ position_title }),
    reviews: (search) => paths.reviews({ search }),
  };
}
