/** The page in the URL. Anything but a positive whole number means the first page. */
export function pageNumber(url: string): number {
  const page = Number(new URL(url).searchParams.get('page') ?? 1);
  return Number.isInteger(page) && page >= 1 ? page : 1;
}
