import { useHydrated } from './store.ts';

/** On paper, where a page is from, and of which day it is. Drawn by CSS, as it is not of the page. */
export function PrintedFrom() {
  // The page may come from a cache, and the server does not know the reader's day.
  if (!useHydrated()) return null;
  // Not Intl (format.ts).
  const [, month, day, year] = new Date().toDateString().split(' ');
  return (
    <p
      data-from={`Curbside · ${window.location.href} · ${month} ${Number(day)}, ${year}`}
      className="hidden text-xs wrap-anywhere text-ink-soft lining-nums before:content-[attr(data-from)] print:block"
    />
  );
}
