import type { ReactNode } from 'react';

interface Fact {
  term: ReactNode;
  value: ReactNode;
  note?: ReactNode;
}

/** Terms and their values, one per line. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="flex flex-col gap-4">
      {facts.map(({ term, value, note }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a screen keep their order
        <div key={place} className="flex flex-wrap gap-x-6">
          <dt className="label-caps w-54 max-w-full text-ink-faint">{term}</dt>
          <dd className="min-w-0 flex-1 basis-40 wrap-anywhere lining-nums">
            {value}
            {note && <p className="text-xs text-ink-faint">{note}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
