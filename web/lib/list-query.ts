import type { Query } from './paths.ts';

/** The parameters a list's API knows, as they stand in the address; others it would refuse. */
export function listQuery(url: string, names: readonly string[]): Query {
  const { searchParams } = new URL(url);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = searchParams.get(name)?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** The page asked for; anything that is not a whole number from 1 is the first. */
export function pageNumber(url: string): number {
  const page = Number(new URL(url).searchParams.get('page') ?? 1);
  return Number.isInteger(page) && page >= 1 ? page : 1;
}
