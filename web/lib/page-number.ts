/** The page asked for; anything that is not a whole number from 1 is the first. */
export function pageNumber(url: string): number {
  const page = Number(new URL(url).searchParams.get('page') ?? 1);
  return Number.isInteger(page) && page >= 1 ? page : 1;
}
