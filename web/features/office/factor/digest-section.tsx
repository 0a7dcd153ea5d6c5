import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { factorWrites } from './factor-writes.ts';

/** Turns the user's own daily email about the office on or off. */
export function DigestSection({ isOn }: { isOn: boolean }) {
  const { send, isBusy, error } = useWrite(factorWrites, 'digest');
  return (
    <section aria-labelledby="daily-email" className="mt-10 border-t border-rule pt-6">
      <h2 id="daily-email" className="font-display text-xl">
        Daily email
      </h2>
      <div className="mt-4 flex max-w-measure flex-col gap-3">
        <Checkbox
          checked={isOn}
          aria-disabled={isBusy || undefined}
          onChange={() => send({ body: { is_on: !isOn } })}
          label="Email me once a day what waits for me"
          hint="From tomorrow on, at 12:00 UTC, unless nothing waits: how many cases of each kind, how many are overdue, and which roles nobody has. It names nobody and no employer."
        />
        {error && <Banner tone="error">{error.message}</Banner>}
      </div>
    </section>
  );
}
