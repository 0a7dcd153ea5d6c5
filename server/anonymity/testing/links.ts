import type { Dump } from './dump.ts';
import { needlesOf, occurrences } from './needles.ts';
import { withAuthors } from './open-dump.ts';
import { randomBytesIn } from './pages.ts';
import { keysOf } from './signals.ts';

/**
 * Whether a dump links these reviews: they, or the rows of their authors, share a value or a
 * transaction that fewer other rows have than there are reviews.
 */
export function areLinked(dump: Dump, ids: readonly string[]): boolean {
  const holders = new Map<string, number>();
  const marks: string[][] = [];
  for (const { xmin, columns } of withAuthors(dump).tables.get('public.reviews') ?? []) {
    const found = [...new Set([`xmin ${xmin}`, ...keysOf(columns)])];
    for (const mark of found) holders.set(mark, (holders.get(mark) ?? 0) + 1);
    if (ids.includes(String(columns['id']))) marks.push(found);
  }
  const [first = [], ...others] = marks;
  const shared = first.filter((mark) => others.every((found) => found.includes(mark)));
  return shared.some((mark) => (holders.get(mark) ?? 0) < 2 * ids.length);
}

/**
 * Whether what is left of former versions of these reviews in files links any two of them: they
 * contain the same random bytes, such as an author key that the reviews had before.
 */
export function areLinkedInFiles({ fragments }: Dump, ids: readonly string[]): boolean {
  const needles = needlesOf(ids);
  const holders = new Map<string, string>();
  for (const { bytes, isRow, isOfReview } of fragments) {
    if (!isRow || !isOfReview) continue;
    for (const { value: id } of occurrences(bytes, needles)) {
      for (const value of randomBytesIn(bytes)) {
        if ((holders.get(value) ?? id) !== id) return true;
        holders.set(value, id);
      }
    }
  }
  return false;
}
