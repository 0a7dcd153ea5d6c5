import { type Query, withQuery } from '#contract/api-path.ts';
import { choiceLabel } from '#contract/review-choices.ts';
import { plural } from '#web/lib/format.ts';

/** The query parameters of a list, without empty ones and without the page number. */
export interface Criteria {
  readonly search?: string | undefined;
  readonly ordering?: string | undefined;
  readonly [filter: string]: string | undefined;
}

export interface ListingDeclaration {
  /** The URL of the list. */
  path: (query?: Query) => string;
  /** In the order of the URL and the form. All but `search` and `ordering` are filters. */
  parameters: readonly string[];
  /** Labels by key, the default order first. */
  orders: Readonly<Record<string, string>>;
  /** Filters that take several values, separated by commas. */
  multiple?: readonly string[];
  /** Filters that are on ('true') or off. */
  switches?: readonly string[];
  /** Two filters that share a chip if both are set. */
  range?: { min: string; max: string; label: (min: string, max: string) => string };
  /** The label of a filter's value. By default, the value itself. */
  labels?: Readonly<Record<string, (value: string) => string>>;
}

export interface ChosenFilter {
  label: string;
  /** The criteria without it. */
  without: Criteria;
}

export type Listing = ReturnType<typeof defineListing>;

/** The title of a list, with the specialty that it is limited to. */
export const withSpecialty = (title: string, criteria: Criteria | undefined): string =>
  criteria?.['specialty'] ? `${title}: ${criteria['specialty']}` : title;

/** Reads, writes, and labels the criteria of a resource's list. */
export function defineListing(declaration: ListingDeclaration) {
  const {
    path,
    parameters,
    orders,
    multiple = [],
    switches = [],
    range,
    labels = {},
  } = declaration;
  const filters = parameters.filter((name) => name !== 'search' && name !== 'ordering');
  const [defaultOrder = ''] = Object.keys(orders);

  function valuesOf(name: string, given = ''): string[] {
    // HTML cannot contain a NUL.
    const text = given.replaceAll('\0', '');
    const values = (multiple.includes(name) ? text.split(',') : [text]).map((each) => each.trim());
    const chosen = [...new Set(values)].filter(Boolean);
    return switches.includes(name) ? chosen.filter((each) => each === 'true') : chosen;
  }

  /**
   * The criteria as they are in the URL. The default order is explicit only with a search, which is
   * otherwise ordered by match.
   */
  function tidy(criteria: Criteria): Criteria {
    const isDefault = criteria.ordering === defaultOrder && !criteria.search?.trim();
    const entries = parameters.flatMap((name) => {
      const value = valuesOf(name, criteria[name]).join(',');
      return value === '' || (name === 'ordering' && isDefault) ? [] : [[name, value]];
    });
    return Object.fromEntries(entries);
  }

  const chosenFilters = (criteria: Criteria): ChosenFilter[] =>
    filters.flatMap((name) => {
      const [min, max] = [range && criteria[range.min], range && criteria[range.max]];
      if (range && min && max && (name === range.min || name === range.max)) {
        const without = { ...criteria, [range.min]: '', [range.max]: '' };
        return name === range.min ? [{ label: range.label(min, max), without }] : [];
      }
      const values = valuesOf(name, criteria[name]);
      return values.map((value) => ({
        label: labels[name]?.(value) ?? value,
        without: { ...criteria, [name]: values.filter((other) => other !== value).join(',') },
      }));
    });

  return {
    path,
    orders,
    defaultOrder,
    valuesOf,
    tidy,
    chosenFilters,
    /**
     * Reads the criteria from a URL. A form sent without script repeats a parameter for several
     * values.
     */
    read(url: string): Criteria {
      const { searchParams } = new URL(url);
      return tidy(
        Object.fromEntries(
          parameters.map((name) => [
            name,
            multiple.includes(name)
              ? searchParams.getAll(name).join(',')
              : (searchParams.get(name) ?? ''),
          ]),
        ),
      );
    },
    isSame: (a: Criteria, b: Criteria) => withQuery('', tidy(a)) === withQuery('', tidy(b)),
    /** Keeps the search and the order. */
    withoutFilters: ({ search, ordering }: Criteria) => tidy({ search, ordering }),
    /** Whether the list could be longer without the criteria. An order does not count. */
    isNarrowed: (criteria: Criteria) =>
      Object.keys(tidy(criteria)).some((name) => name !== 'ordering'),
  };
}

/** Labels of the rating filters, for the `labels` of a list. */
export const RATING_LABELS = {
  min_rating: choiceLabel('min_rating'),
  max_rating: choiceLabel('max_rating'),
};

/** For the `range` of a list: '2 stars', or '2 to 4 stars'. */
export const RATING_RANGE = {
  min: 'min_rating',
  max: 'max_rating',
  label: (min: string, max: string) =>
    min === max ? plural(Number(min), 'star') : `${min} to ${max} stars`,
};
