import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { savedWrites } from './saved.ts';

/** Turns the weekly email on or off. */
export function WeeklyMail({ isOn }: { isOn: boolean }) {
  const { send, isBusy, error } = useWrite(savedWrites, 'weeklyMail');
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        checked={isOn}
        aria-disabled={isBusy || undefined}
        onChange={() => send({ body: { weekly_mail: !isOn } })}
        label="Email me what’s new once a week"
        hint="Every Monday, even if nothing is new. The subject gives nothing away, but the email names what you saved, so use a personal address."
      />
      {error && <Banner tone="error">{error.message}</Banner>}
    </div>
  );
}
