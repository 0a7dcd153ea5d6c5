import { sql } from 'kysely';
import { searchedSubject } from '#contract/cases.ts';
import { plainLetters } from '#contract/plain-letters.ts';
import type { Viewer } from '#server/cases/queue.ts';
import {
  aboutAccounts,
  aboutEmployers,
  aboutReview,
  casesAbout,
  type Relations,
  waitingRepresentatives,
} from '#server/cases/search.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfiles } from '#server/features/accounts/identity/profiles.ts';
import { REPRESENTED } from '#server/features/accounts/identity/representative-queries.ts';
import { employersFound, employerWithMerged } from '#server/features/employers/employers.ts';
import { REVIEWED } from '#server/features/reviews/rows/queries.ts';
import { DEMANDED } from '#server/legal-demands/demands.ts';

type SearchDeps = Pick<Deps, 'db' | 'keys'>;

export const RELATIONS: Relations = {
  reviews: REVIEWED,
  representatives: REPRESENTED,
  demands: DEMANDED,
};

/**
 * The cases that a search names: by an employer, a review, or a representative. Never by a doctor,
 * nor by what only an author would be found by.
 */
export async function searchCases(
  deps: SearchDeps,
  viewer: Viewer,
  search: string | undefined,
): Promise<string[] | undefined> {
  if (!search) return undefined;
  const subject = searchedSubject(search);
  if (subject === null) return byName(deps, viewer, search);
  return 'employer' in subject
    ? casesOfEmployer(deps.db, viewer, Number(subject.employer))
    : casesAbout(deps.db, viewer, aboutReview(subject.review, RELATIONS));
}

/** The open cases about an employer, and those merged into it, that the viewer may see. */
export async function casesOfEmployer(db: Db, viewer: Viewer, id: number): Promise<string[]> {
  const ids = await employerWithMerged(db, id);
  const employers = sql`select unnest(${ids}::integer[]) as id`;
  return casesAbout(db, viewer, aboutEmployers(employers, RELATIONS));
}

async function byName(deps: SearchDeps, viewer: Viewer, search: string) {
  const { db } = deps;
  const [employers, accounts] = await Promise.all([
    employersFound(db, search),
    representativesNamed(deps, viewer, search),
  ]);
  const found = await Promise.all([
    employers ? casesAbout(db, viewer, aboutEmployers(employers, RELATIONS)) : [],
    casesAbout(db, viewer, aboutAccounts(accounts)),
  ]);
  return found.flat();
}

const wordsOf = (text: string): string[] =>
  plainLetters(text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')).match(
    /[\p{L}\p{N}]+/gu,
  ) ?? [];

/** Names are sealed, so those of all waiting representatives are opened; nobody else's. */
async function representativesNamed({ db, keys }: SearchDeps, viewer: Viewer, search: string) {
  const words = wordsOf(search);
  if (words.length === 0 || !viewer.kinds.includes('representative')) return [];
  const profiles = await loadProfiles(keys, db, await waitingRepresentatives(db, viewer));
  return profiles
    .filter(({ user }) => {
      const name = wordsOf(`${user.first_name} ${user.last_name}`);
      return words.every((word) => name.some((part) => part.startsWith(word)));
    })
    .map(({ user }) => user.id);
}
