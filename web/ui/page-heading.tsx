import type { ReactNode } from 'react';

interface PageHeadingProps {
  title: ReactNode;
  subtitle?: ReactNode;
  action?: ReactNode;
}

/** The heading of a page: its only `h1`. */
export function PageHeading({ title, subtitle, action }: PageHeadingProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 pt-12 pb-4 md:pt-16 print:pt-0">
      <div className="min-w-0 flex-[1_1_22rem] wrap-anywhere">
        <h1 className="font-display text-3xl tracking-[-0.012em]">{title}</h1>
        {subtitle && <p className="mt-2 text-ink-soft lining-nums">{subtitle}</p>}
      </div>
      {action}
    </div>
  );
}
