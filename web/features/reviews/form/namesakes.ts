import type { Answer } from '#contract/endpoint.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { CANDIDATES_MAX, PAGE_SIZE } from '#contract/limits.ts';
import { plainLetters } from '#contract/plain-letters.ts';
import { api } from '#web/lib/session.ts';

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
export const findSimilar = (search: string, signal: AbortSignal) =>
  listEmployers(search, SIMILAR, signal);

/** The employers that have this name. */
export const findNamesakes = async (name: string) =>
  (await listEmployers(name, CANDIDATES_MAX)).filter((employer) => isNamed(employer, name));

export const isNamed = (employer: { name: string }, name: string) =>
  keyOf(employer.name) === keyOf(name);

/** The server compares names the same way: case, accents, spaces, and punctuation do not count. */
const keyOf = (name: string) =>
  plainLetters(name.normalize('NFKD').toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');
