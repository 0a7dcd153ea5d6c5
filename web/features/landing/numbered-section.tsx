import type { ReactNode } from 'react';

interface NumberedSectionProps {
  id: string;
  title: string;
  lede: ReactNode;
  items: readonly { readonly title: string; readonly text: string }[];
}

export function NumberedSection({ id, title, lede, items }: NumberedSectionProps) {
  return (
    <section aria-labelledby={id} className="page-width py-16">
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[17rem_1fr]">
        <div>
          <h2 id={id} className="font-display text-2xl">
            {title}
          </h2>
          <p className="mt-3 text-ink-soft">{lede}</p>
        </div>
        <ol className="border-t border-ink">
          {items.map((item, place) => (
            <li
              key={item.title}
              className="grid grid-cols-[2rem_1fr] gap-x-2 border-b border-rule py-5 sm:grid-cols-[2rem_15.5rem_1fr]"
            >
              <span aria-hidden className="font-display text-xl leading-7 text-accent">
                {place + 1}
              </span>
              <h3 className="text-base font-semibold">{item.title}</h3>
              <p className="text-ink-soft max-sm:col-start-2">{item.text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

const CATEGORIES = [
  {
    title: 'Work-life balance',
    text: 'How flexible the schedule is, whether time off is really off, and how heavy the workload gets.',
  },
  {
    title: 'Mentorship and growth',
    text: 'Who teaches, who opens doors, and where former trainees and colleagues went next.',
  },
  {
    title: 'Team collaboration',
    text: 'Whether nurses, consultants, and administrators pull in the same direction when it counts.',
  },
  {
    title: 'Compensation and benefits',
    text: 'How pay compares with the local market, what the bonus really depends on, and what the benefits are worth.',
  },
  {
    title: 'Immigration support',
    text: 'Visa sponsorship, legal help, and relocation: whether promises in the offer were kept.',
  },
];

export function Categories() {
  return (
    <NumberedSection
      id="categories"
      title="Five things worth comparing"
      lede="Every review rates the same five, so that you can compare employers side by side."
      items={CATEGORIES}
    />
  );
}
