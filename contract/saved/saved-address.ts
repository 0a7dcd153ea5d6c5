import { EMPLOYER_ID_MAX, SAVED_ADDRESS_MAX, SAVED_CHARACTERS_MAX, SAVED_MAX } from '../limits.ts';

/** The lists whose searches can be saved. */
export const SEARCHED_PAGES = ['/employers', '/reviews'] as const;
export type SearchedPage = (typeof SEARCHED_PAGES)[number];

/** Saved entries are page addresses: of an employer, or of a list with its filters. */
export type Saved =
  | { readonly employerId: number }
  | { readonly page: SearchedPage; readonly criteria: Readonly<Record<string, string>> };

export const employerAddress = (id: number) => `/employers/${id}`;

/** The canonical address of a search: the order of its parameters does not matter. */
export function searchAddress(
  page: SearchedPage,
  criteria: Readonly<Record<string, string | undefined>>,
): string {
  const search = new URLSearchParams(
    Object.entries(criteria).flatMap(([name, value]): [string, string][] => {
      const text = value?.trim();
      return text ? [[name, text]] : [];
    }),
  );
  search.sort();
  return search.size > 0 ? `${page}?${search}` : page;
}

const EMPLOYER = /^\/employers\/([1-9]\d{0,9})$/;

/** Null if the address is too long, or not in the form that the functions above produce. */
export function parseSaved(address: unknown): Saved | null {
  if (typeof address !== 'string' || address.length > SAVED_ADDRESS_MAX) return null;
  const employerId = Number(EMPLOYER.exec(address)?.[1]);
  if (employerId <= EMPLOYER_ID_MAX) return { employerId };
  const [path, query = ''] = address.split('?', 2);
  const page = SEARCHED_PAGES.find((one) => one === path);
  if (!page) return null;
  const criteria = Object.fromEntries(new URLSearchParams(query));
  return searchAddress(page, criteria) === address ? { page, criteria } : null;
}

/** Whether the entries fit: by number, and in a list of constant size. */
export const fits = (entries: readonly string[]): boolean =>
  entries.length <= SAVED_MAX &&
  entries.reduce((sum, { length }) => sum + length + 3, 0) <= SAVED_CHARACTERS_MAX;
