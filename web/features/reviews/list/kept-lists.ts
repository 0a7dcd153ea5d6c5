import { keepScroll } from '#web/lib/scroll-positions.ts';
import { type Filters, isSame } from './filters.ts';
import type { ReviewList } from './review-list.ts';

/** Lists that were left, by the key of their history entry: going back finds all their pages. */
const kept = new Map<string, ReviewList>();

let shown: ReviewList | null = null;

export const keptList = (key: string) => kept.get(key);

export function noteShown(list: ReviewList): void {
  shown = list;
}

/** On leaving the list that is shown. */
export function keepShown(key: string, list: ReviewList): void {
  kept.set(key, list);
  keepScroll(key, window.scrollY);
  if (shown === list) shown = null;
}

/** Whether the list on the screen asks for just these: then the address follows it. */
export const isShown = (filters: Filters) => shown !== null && isSame(shown.get().filters, filters);
