import type { Dump } from './dump.ts';
import { withAuthors } from './open-dump.ts';
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
