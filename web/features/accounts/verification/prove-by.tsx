import { formatLongDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';

/** Someone else has proven to hold the NPI: what that means, and until when one can answer. */
export function ProveBy({ day }: { day: string }) {
  return (
    <Banner tone="info">
      <p className="font-semibold">Someone else has proven to hold your NPI.</p>
      <p className="mt-1">
        If it is yours, prove it as well by{' '}
        <strong className="lining-nums">{formatLongDate(day)}</strong>. After that day, reviews of
        this account may be held for a moderator, one by one.
      </p>
    </Banner>
  );
}
