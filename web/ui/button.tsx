import type { ComponentPropsWithRef } from 'react';
import { cx } from './cx.ts';
import { Spinner } from './loading.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'md' | 'sm' | 'lg';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-md border font-medium text-center no-underline ' +
  'transition-colors select-none print:hidden disabled:cursor-not-allowed disabled:opacity-55 aria-busy:cursor-progress';

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-accent bg-accent text-on-accent not-disabled:hover:border-accent-strong not-disabled:hover:bg-accent-strong',
  secondary: 'border-control text-ink not-disabled:hover:border-ink not-disabled:hover:bg-sunken',
  quiet: 'border-transparent text-accent not-disabled:hover:bg-accent-wash',
  danger: 'border-danger text-danger not-disabled:hover:bg-danger-wash',
};

/** At least 44 px high, except for `sm`, which follows WCAG 2.2's minimum of 24 px. */
const SIZES: Record<ButtonSize, string> = {
  sm: 'min-h-9 px-3 text-sm',
  md: 'min-h-11 px-5 text-sm',
  lg: 'min-h-13 px-7 text-base',
};

/** Styles a link as a button: `<Link className={buttonClass()}>`. */
export function buttonClass(
  variant: ButtonVariant = 'primary',
  size: ButtonSize = 'md',
  className?: string,
): string {
  return cx(BASE, VARIANTS[variant], SIZES[size], className);
}

interface ButtonProps extends ComponentPropsWithRef<'button'> {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Shows a spinner, keeps the focus, and ignores clicks. */
  busy?: boolean | undefined;
}

export function Button({
  variant,
  size,
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={buttonClass(variant, size, className)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <Spinner />}
      {/* Translators replace texts, so React could not put the spinner before one. */}
      <span className="contents">{children}</span>
    </button>
  );
}
