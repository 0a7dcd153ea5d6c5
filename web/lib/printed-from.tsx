import { useHydrated } from './use-hydrated.ts';

/** On paper, where a page is from, and of which day it is. */
export function PrintedFrom() {
  // The page may come from a cache, and the server does not know the reader's day.
  if (!useHydrated()) return null;
  const day = new Date().toLocaleDateString('en-US', { dateStyle: 'medium' });
  return (
    <p className="hidden text-xs wrap-anywhere text-ink-soft lining-nums print:block">
      {`Curbside · ${window.location.href} · ${day}`}
    </p>
  );
}
