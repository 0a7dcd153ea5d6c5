import { PenLine } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { REVIEWS_URL_SYNC_MS } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import type { ReviewFilterOptions } from '#contract/reviews/review-queries.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { PrintedFrom } from '#web/lib/printed-from.tsx';
import { api } from '#web/lib/session.ts';
import { createStore, useStore } from '#web/lib/store.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { ChoiceField, OrderField } from '#web/listing/choice-field.tsx';
import { ChosenFilters, FilterToggle } from '#web/listing/chosen-filters.tsx';
import { type Criteria, withSpecialty } from '#web/listing/criteria.ts';
import { useKeepOnLeave, useMorePages } from '#web/listing/kept-lists.ts';
import { OptionField } from '#web/listing/option-field.tsx';
import { createPages, type PagesState } from '#web/listing/pages.tsx';
import type { SuggestionPaths } from '#web/listing/search-combobox.tsx';
import { ListSearch } from '#web/listing/search-line.tsx';
import { SpecialtyField } from '#web/listing/specialty-field.tsx';
import { type ListForm, useListForm } from '#web/listing/use-list-form.ts';
import { MemberLink } from '#web/shell/member-link.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/loading.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import {
  cityLabel,
  fetchReviews,
  pacedRequest,
  type ReviewList,
  requestReviews,
  reviewListing,
} from './review-listing.ts';
import { LIST_HEADING_ID, ReviewResults } from './review-results.tsx';

interface FilterFieldsProps {
  form: ListForm;
  /** Null until they are loaded. */
  options: ReviewFilterOptions | null;
}

/** Fields with many options, which the user finds by typing. */
function TypedFilterFields({ form, options }: FilterFieldsProps) {
  const cities = form.listing.valuesOf('city', form.values['city']);
  const isFree = (city: string) => !cities.some((one) => cityLabel(one) === cityLabel(city));
  return (
    <>
      <OptionField
        label="Position title"
        name="position_title"
        placeholder="Any position"
        value={form.values['position_title'] ?? ''}
        options={options?.position_titles ?? null}
        format={titleCase}
        onChoose={(position_title) => form.choose({ position_title })}
      />
      <SpecialtyField
        value={form.values['specialty'] ?? ''}
        options={options?.specialties ?? null}
        onChoose={(specialty) => form.choose({ specialty })}
      />
      <OptionField
        label="State"
        name="state"
        placeholder="Any state"
        value={form.values['state'] ?? ''}
        options={options?.states ?? null}
        format={(state) => state.toUpperCase()}
        onChoose={(state) => form.choose({ state })}
      />
      {/* The chosen cities are chips; this field adds one more. */}
      <OptionField
        label="City"
        name="city"
        placeholder={cities.length > 0 ? 'Add a city' : 'Any city'}
        options={options?.cities.filter(isFree) ?? null}
        format={cityLabel}
        onChoose={(city) => form.choose({ city: [...cities, city].join(',') })}
      />
    </>
  );
}

const CHOICE_LABELS = {
  min_rating: ['Minimum rating', 'Any rating'],
  max_rating: ['Maximum rating', 'Any rating'],
  would_recommend: ['Recommendation', 'Any'],
  is_current_employee: ['Employment', 'Any'],
} as const;

function ReviewChoiceField({ form, name }: { form: ListForm; name: keyof typeof CHOICE_LABELS }) {
  const [label, any] = CHOICE_LABELS[name];
  return <ChoiceField {...{ form, name, label, any }} choices={REVIEW_FILTER_CHOICES[name]} />;
}

interface FilterSheetProps extends FilterFieldsProps {
  state: Pick<PagesState<unknown>, 'count' | 'isLoading'>;
}

function FilterSheet({ form, options, state }: FilterSheetProps) {
  const [isOpen, setOpen] = useState(false);
  const { listing, values } = form;
  const chosen = listing.chosenFilters(values).length;
  const close = () => setOpen(false);
  return (
    <div className="md:hidden noscript:hidden">
      <FilterToggle count={chosen} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog
          title="Filters"
          isSheet
          onClose={close}
          actions={
            <>
              <Button
                variant="secondary"
                disabled={chosen === 0}
                onClick={() => form.replace(listing.withoutFilters(values))}
              >
                Clear all
              </Button>
              <Button onClick={close} className="flex-1">
                {closeLabel(state)}
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-5 text-ink">
            <ChosenFilters form={form} headingId={LIST_HEADING_ID} />
            <RatingChoices form={form} />
            <ReviewChoiceField name="max_rating" form={form} />
            <TypedFilterFields form={form} options={options} />
            <ReviewChoiceField name="would_recommend" form={form} />
            <ReviewChoiceField name="is_current_employee" form={form} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

function closeLabel({ isLoading, count }: FilterSheetProps['state']): string {
  return isLoading || count === null ? 'Loading...' : `Show ${plural(count, 'review')}`;
}

/** Buttons for the minimum rating (docs/product/reviews.md, "Review filters"). */
function RatingChoices({ form }: Pick<FilterFieldsProps, 'form'>) {
  const choices = [{ value: '', label: 'Any' }, ...REVIEW_FILTER_CHOICES.min_rating];
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Minimum rating</legend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {choices.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="sheet_min_rating"
              value={value}
              checked={(form.values['min_rating'] ?? '') === value}
              onChange={() => form.choose({ min_rating: value })}
              className="peer sr-only"
            />
            <span
              className={
                'flex min-h-11 items-center rounded-md border border-control px-3.5 text-sm ' +
                'peer-checked:border-accent peer-checked:bg-accent peer-checked:text-on-accent ' +
                'outline-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2'
              }
            >
              {label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface FilterFormProps extends FilterSheetProps {
  onSubmit: () => void;
}

/** Search, order, and filters. A GET form, so it works without script. */
function FilterForm({ form, options, state, onSubmit }: FilterFormProps) {
  return (
    <form
      action={form.listing.path()}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="flex flex-col gap-5 py-6 print:hidden"
    >
      <search className="flex flex-wrap items-end gap-3 md:grid md:grid-cols-3 md:gap-4 lg:grid-cols-4">
        <ListSearch
          form={form}
          label="Search by employer, position, or keyword"
          placeholder="For example, hospitalist night shifts"
          className="min-w-0 max-md:basis-full md:col-span-2 lg:col-span-3"
          paths={suggestionPaths(form.values)}
        />
        <FilterSheet form={form} options={options} state={state} />
        <OrderField form={form} />
      </search>
      <fieldset className="grid grid-cols-3 gap-x-4 gap-y-4 lg:grid-cols-4 max-md:hidden noscript:max-md:grid noscript:max-md:grid-cols-1">
        <legend className="sr-only">Filters</legend>
        {/* Without script, this sends the chosen cities. */}
        <input type="hidden" name="city" value={form.values['city'] ?? ''} />
        <TypedFilterFields form={form} options={options} />
        <ReviewChoiceField name="min_rating" form={form} />
        <ReviewChoiceField name="max_rating" form={form} />
        <ReviewChoiceField name="would_recommend" form={form} />
        <ReviewChoiceField name="is_current_employee" form={form} />
        <div className="hidden noscript:block">
          <Button type="submit" variant="secondary">
            Apply filters
          </Button>
        </div>
      </fieldset>
      <ChosenFilters form={form} headingId={LIST_HEADING_ID} />
    </form>
  );
}

/** A suggested specialty or position becomes a filter and replaces the search. */
function suggestionPaths({ search: _, ...filters }: Criteria): SuggestionPaths {
  const to = (change: Criteria) => paths.reviews(reviewListing.tidy({ ...filters, ...change }));
  return {
    employers: (search) => paths.employers({ search }),
    specialty: (specialty) => to({ specialty }),
    position: (position_title) => to({ position_title }),
    reviews: (search) => to({ search }),
  };
}

const NO_OPTIONS: ReviewFilterOptions = {
  position_titles: [],
  specialties: [],
  states: [],
  cities: [],
  rating_options: [],
  recommendation_options: [],
  employment_status_options: [],
  total_reviews: 0,
};

const fetchOptions = () => api.call(reviewEndpoints.filterOptions);

/** The options of the filters. Null until they are loaded. */
export function createFilterOptions(fetch = fetchOptions) {
  const store = createStore<ReviewFilterOptions | null>(null);
  let lastCount: number | null = null;

  async function load(): Promise<void> {
    try {
      store.set(await fetch());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      store.set(store.get() ?? NO_OPTIONS);
    }
  }

  return {
    ...store,
    load,
    /** If there are more reviews than before, there may be new options. */
    noteCount(count: number): void {
      if (lastCount !== null && count > lastCount) void load();
      lastCount = count;
    },
  };
}

/** The list of reviews and its form (docs/product/reviews.md, "Public review list"). */
export function ReviewBrowser({ list, belowForm }: { list: ReviewList; belowForm: ReactNode }) {
  const { criteria, page, answer } = list;
  const [pages] = useState(() => createPages<Review>(answer));
  const [newlyOpened] = useState(() => new Set<string>());
  const state = useStore(pages, (current) => current);
  const options = useFilterOptions(list, state.count);
  const opened = list.opened ?? newlyOpened;
  const form = useListForm(reviewListing, criteria, {
    typingPauseMs: REVIEWS_URL_SYNC_MS,
    choicePauseMs: REVIEWS_URL_SYNC_MS,
    isReplacing: true,
    onChange: pacedRequest.noteChange,
  });

  const isPastTheEnd = state.items.length === 0 && state.count !== null && state.count > 0;

  // The order matters: the old list is kept before the next one replaces it.
  useKeepOnLeave(() => {
    const { pages: loaded, failure, isLoading } = pages.get();
    const settled = { pages: loaded, failure };
    const kept: ReviewList = { criteria, page, answer: settled, refreshesOptions: false, opened };
    return isLoading ? null : kept;
  });
  useLayoutEffect(() => pages.follow(answer, pacedRequest.started()), [pages, answer]);

  const onLoadMore = useMorePages(
    () => pages.loadMore((loaded) => fetchReviews(criteria, page + loaded)),
    () => pages.get().pages.length,
  );

  return (
    <div className="page-width">
      <PageHeading
        title={withSpecialty('Reviews by practitioners', criteria)}
        subtitle={<Count count={state.count} />}
        action={
          <MemberLink to={paths.createReview()} className={buttonClass()}>
            <PenLine aria-hidden className="size-4" />
            Write a review
          </MemberLink>
        }
      />
      <PrintedFrom />
      <FilterForm
        form={form}
        options={options}
        state={state}
        onSubmit={() => {
          form.submit();
          pacedRequest.hurry();
        }}
      />
      {belowForm}
      {page > 1 && (
        <p className="pb-4 text-sm text-ink-soft">
          <span>{isPastTheEnd ? `There is no page ${page}.` : `Starting from page ${page}.`}</span>{' '}
          <Link to={paths.reviews(criteria)} reloadDocument className="prose-link">
            Go to the first page
          </Link>
        </p>
      )}
      <ReviewResults
        form={form}
        state={state}
        opened={opened}
        nextPath={paths.reviews({ ...criteria, page: page + state.pages.length })}
        onLoadMore={onLoadMore}
        onRetry={() => pages.follow(requestReviews(criteria, page))}
      />
    </div>
  );
}

/** Loads the options when the page opens, and again if the URL says so or the count rises. */
function useFilterOptions(list: ReviewList, count: number | null) {
  const { criteria, page, refreshesOptions } = list;
  const [options] = useState(() => createFilterOptions());
  const navigate = useNavigate();

  useEffect(() => {
    if (refreshesOptions || options.get() === null) void options.load();
  }, [options, refreshesOptions]);

  useEffect(() => {
    if (count !== null) options.noteCount(count);
  }, [options, count]);

  // Removes the parameter from the URL, so that it takes effect only once. Immediately, because later
  // it would call back a reader who has followed a link.
  useEffect(() => {
    if (!refreshesOptions) return;
    const path = paths.reviews({ ...criteria, page: page > 1 ? page : null });
    void navigate(path, { replace: true });
  }, [refreshesOptions, criteria, page, navigate]);

  return useStore(options, (current) => current);
}

function Count({ count }: { count: number | null }) {
  return (
    <span role="status">
      {count === null ? <Skeleton className="my-1.5 h-4 w-28" /> : plural(count, 'review')}
    </span>
  );
}
