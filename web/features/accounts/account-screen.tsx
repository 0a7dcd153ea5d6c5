import type { ReactNode } from 'react';

interface AccountScreenProps {
  title: string;
  lede?: ReactNode;
  children: ReactNode;
}

/** A screen with one form: what it is for on the left, the form on the right. */
export function AccountScreen({ title, lede, children }: AccountScreenProps) {
  return (
    <div className="page-width grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-8 pt-12 md:pt-16 lg:grid-cols-[1fr_minmax(0,var(--container-form))]">
      <header className="break-words">
        <h1 className="font-display text-3xl tracking-[-0.012em]">{title}</h1>
        {lede && <div className="mt-4 max-w-measure text-ink-soft">{lede}</div>}
      </header>
      <div className="kerb-rule flex w-full max-w-form flex-col gap-6 pt-8">{children}</div>
    </div>
  );
}
