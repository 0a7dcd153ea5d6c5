import { type ReactNode, useId } from 'react';

interface FormSectionProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

/** Laid out like a review, with the heading in the margin. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-6 border-t border-rule py-10 lg:grid-cols-[15rem_1fr]"
    >
      <div>
        <h2 id={id} className="font-display text-xl">
          {title}
        </h2>
        {hint && <p className="mt-2 text-sm text-ink-soft">{hint}</p>}
      </div>
      <div className="flex max-w-[42rem] min-w-0 flex-col gap-7">{children}</div>
    </section>
  );
}
