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
              className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-2 border-b border-rule py-5 wrap-anywhere sm:grid-cols-[2rem_15.5rem_1fr]"
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

export function Categories({ items }: Pick<NumberedSectionProps, 'items'>) {
  return (
    <NumberedSection
      id="categories"
      title="Five things worth comparing"
      lede="Every review rates the same five, so you can compare employers side by side."
      items={items}
    />
  );
}
