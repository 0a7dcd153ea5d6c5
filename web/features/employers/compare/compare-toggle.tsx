import { Check, Plus } from 'lucide-react';
import { COMPARE_MAX } from '#contract/employer-choices.ts';
import { titleCase } from '#contract/names.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { type Shortlisted, shortlist, useShortlist } from './shortlist.ts';

/** Puts an employer on the shortlist, and takes it off again. It needs the script. */
export function CompareToggle({ employer }: { employer: Shortlisted }) {
  const list = useShortlist();
  const isOn = list.some(({ id }) => id === employer.id);
  const isFull = !isOn && list.length >= COMPARE_MAX;
  const name = titleCase(employer.name);
  const Mark = isOn ? Check : Plus;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={isFull}
      title={isFull ? `${COMPARE_MAX} employers at most` : undefined}
      onClick={() =>
        isOn ? shortlist.remove(employer.id) : shortlist.add({ id: employer.id, name })
      }
      className={buttonClass(
        'secondary',
        'sm',
        'px-2.5 aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent noscript:hidden',
      )}
    >
      <Mark aria-hidden className="size-4" />
      Compare<span className="sr-only"> {name}</span>
    </button>
  );
}
