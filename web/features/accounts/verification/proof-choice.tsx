import { type ReactNode, useId } from 'react';

interface ProofChoiceProps {
  title: string;
  /** How long it takes. */
  takes: string;
  children: ReactNode;
}

export function ProofChoice({ title, takes, children }: ProofChoiceProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4 py-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={titleId} className="text-lg font-semibold">
          {title}
        </h3>
        <p className="label-caps text-ink-faint">{takes}</p>
      </div>
      {children}
    </section>
  );
}
