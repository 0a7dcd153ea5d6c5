import { CircleCheck, CircleDashed, CircleDot, CircleX } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from '#web/ui/cx.ts';

const STATES = {
  done: { Icon: CircleCheck, className: 'text-accent' },
  now: { Icon: CircleDot, className: 'text-ink' },
  failed: { Icon: CircleX, className: 'text-danger' },
  waiting: { Icon: CircleDashed, className: 'text-ink-faint' },
} as const;

export interface StepState {
  kind: keyof typeof STATES;
  text: string;
}

interface StepProps {
  number: number;
  title: string;
  state: StepState;
  children: ReactNode;
}

/** One step. On wide screens, its number, title, and state are in the margin. */
export function Step({ number, title, state, children }: StepProps) {
  const titleId = useId();
  const { Icon, className } = STATES[state.kind];
  return (
    <section
      aria-labelledby={titleId}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-5 border-t border-rule py-8 first:border-ink lg:grid-cols-[17rem_1fr]"
    >
      <div className="min-w-0">
        <h2 id={titleId} className="flex gap-3 font-display text-xl">
          <span className="text-accent">{number}</span>
          {title}
        </h2>
        <p className={cx('mt-2 flex gap-2 text-sm', className)}>
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
          {state.text}
        </p>
      </div>
      <div className="flex max-w-measure min-w-0 flex-col gap-5">{children}</div>
    </section>
  );
}
