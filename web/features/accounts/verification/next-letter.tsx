import type { ReactNode } from 'react';
import { formatLongDate } from '#web/lib/format.ts';

interface NextLetterProps {
  /** The first day that a letter can be asked for; null where none can. */
  from: string | null;
  isFirst: boolean;
  /** The button that orders one. */
  children: ReactNode;
}

/** The button, once it is time for it; before that, when it will be. */
export function NextLetter({ from, isFirst, children }: NextLetterProps) {
  if (from === null) {
    return isFirst && <p className="text-sm">We cannot send you a letter at the moment.</p>;
  }
  // A clock that is wrong does no harm: the server knows the day.
  const today = new Date().toISOString().slice(0, 10);
  if (from <= today) return children;
  return (
    <p className="text-sm text-ink-soft">
      You can order a new letter from <span className="lining-nums">{formatLongDate(from)}</span>.
    </p>
  );
}
