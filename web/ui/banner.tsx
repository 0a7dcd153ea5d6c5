import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { cx } from './cx.ts';

type BannerTone = 'error' | 'success' | 'info';

const TONES = {
  error: { Icon: CircleAlert, className: 'border-danger bg-danger-wash text-danger' },
  success: { Icon: CircleCheck, className: 'border-accent bg-accent-wash text-ink' },
  info: { Icon: Info, className: 'border-control bg-sunken text-ink' },
} as const;

interface BannerProps extends ComponentPropsWithRef<'div'> {
  tone: BannerTone;
  /** It replaces what had the focus. */
  takesFocus?: boolean;
}

/** A `ref` for what takes the place of an element that had the focus. */
export const focusOn = (element: HTMLElement | null) => element?.focus();

/** A message about what just happened. An error interrupts a screen reader. Others wait. */
export function Banner({ tone, takesFocus, className, children, ...rest }: BannerProps) {
  const { Icon, className: toneClass } = TONES[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      {...(takesFocus && { ref: focusOn, tabIndex: -1 })}
      {...rest}
      className={cx(
        takesFocus && 'outline-none',
        'flex gap-3 border-l-3 px-4 py-3 text-sm max-[16rem]:flex-col',
        toneClass,
        className,
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}
