import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export type BadgeTone = 'plain' | 'accent' | 'solid' | 'faint';

const TONES: Record<BadgeTone, string> = {
  plain: 'border-control text-ink-soft',
  accent: 'border-accent bg-accent-wash text-accent',
  solid: 'border-accent bg-accent text-on-accent',
  faint: 'border-rule bg-sunken text-ink-soft',
};

export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-sm border px-1.5 text-xs whitespace-nowrap lining-nums',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
