import { relativeAge } from '#web/lib/format.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';

/** The page may come from a cache, so the browser computes the age again after hydration. */
export function RelativeTime({ dateTime }: { dateTime: string }) {
  const isHydrated = useHydrated();
  return (
    <time key={String(isHydrated)} dateTime={dateTime} suppressHydrationWarning>
      {relativeAge(dateTime, new Date())}
    </time>
  );
}
