import { PAGE_BUTTONS } from '#contract/limits.ts';

/**
 * The page numbers to show: the first five if there are at most five or
 * the current one is at most 3; the last five near the end; otherwise the current one and two on
 * either side.
 */
export function pageWindow(current: number, pages: number): number[] {
  const half = Math.floor(PAGE_BUTTONS / 2);
  const last = Math.max(1, pages - PAGE_BUTTONS + 1);
  const first = Math.min(Math.max(1, current - half), last);
  return Array.from({ length: Math.min(pages, PAGE_BUTTONS) }, (_, offset) => first + offset);
}
