import type { ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

interface NumberedSectionProps {
  id: string;
  title: string;
  lede: ReactNode;
  items: readonly { readonly title: string; readonly text: string }[];
  /** Leaves out the items there, which another page repeats. */
  isShortOnPhones?: boolean;
}

export function NumberedSection({ id, title, lede, items, isShortOnPhones }: NumberedSectionProps) {
  return (
    <section aria-labelledby={id} className="page-width py-6 md:py-16">
      <div
        className={cx(
          'grid gap-x-16 gap-y-4 md:gap-y-8',
          items.length > 0 && 'lg:grid-cols-[17rem_1fr]',
        )}
      >
        <div>
          <h2 id={id} className="font-display text-xl md:text-2xl">
            {title}
          </h2>
          <p className="mt-3 max-w-measure text-ink-soft">{lede}</p>
        </div>
        {items.length > 0 && (
          <ol className={cx('border-t border-ink', isShortOnPhones && 'max-md:hidden')}>
            {items.map((item, place) => (
              <li
                key={item.title}
                className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-2 border-b border-rule py-1.5 wrap-anywhere sm:grid-cols-[2rem_15.5rem_1fr] sm:py-5"
              >
                <span aria-hidden className="font-display text-xl leading-7 text-accent">
                  {place + 1}
                </span>
                <h3 className="text-base font-semibold">{item.title}</h3>
                <p className="text-ink-soft max-sm:col-start-2 max-sm:text-sm">{item.text}</p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

export function Categories({ items }: Pick<NumberedSectionProps, 'items'>) {
  return (
    <NumberedSection
      id="categories"
      title="Five things worth comparing"
      lede="Every review rates the same five."
      items={items}
    />
  );
}
