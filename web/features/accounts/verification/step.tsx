import { CircleCheck, CircleDashed, CircleDot, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ProfileSection } from '#web/features/accounts/profile-section.tsx';
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

export function Step({ number, title, state, children }: StepProps) {
  const { Icon, className } = STATES[state.kind];
  return (
    <ProfileSection
      title={
        <span className="flex gap-3">
          <span className="text-accent">{number}</span>
          {title}
        </span>
      }
      note={
        <p className={cx('mt-2 flex gap-2 text-sm', className)}>
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
          {state.text}
        </p>
      }
    >
      {children}
    </ProfileSection>
  );
}
