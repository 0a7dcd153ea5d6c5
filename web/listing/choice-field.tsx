import { useId } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { useHydrated } from '#web/lib/store.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/inputs.tsx';
import type { ListForm } from './use-list-form.ts';

export interface Choice {
  value: string;
  label: string;
  /** The number of items with this value. */
  count?: number | undefined;
}

interface ChoiceFieldProps {
  form: ListForm;
  name: string;
  label: string;
  /** The label for no choice: 'All states'. */
  any: string;
  choices: readonly Choice[];
  className?: string;
  selectClassName?: string;
}

export function ChoiceField(props: ChoiceFieldProps) {
  const { form, name, label, any, choices, className, selectClassName } = props;
  const chosen = form.values[name] ?? '';
  const isListed = chosen === '' || choices.some(({ value }) => value === chosen);
  return (
    <Field label={label} className={className ?? ''}>
      {(control) => (
        <Select
          {...control}
          name={name}
          value={chosen}
          onChange={({ target }) => form.choose({ [name]: target.value })}
          className={selectClassName}
        >
          <option value="">{any}</option>
          {!isListed && <option value={chosen}>{chosen}</option>}
          {choices.map(({ value, label: text, count }) => (
            <option key={value} value={value}>
              {text + inBrackets(count)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

export const inBrackets = (count: number | undefined) =>
  count === undefined ? '' : ` (${formatCount(count)})`;

/**
 * A search without a chosen order shows the best match first, so "Best match" is a choice, too.
 * `shown` is the choice that stands for an order that is none of them.
 */
export function OrderField({ form, shown }: { form: ListForm; shown?: string | undefined }) {
  const id = useId();
  const { listing, values } = form;
  const isHydrated = useHydrated();
  const isSearch = Boolean(values.search?.trim());
  // Not in the URL, so that a later search is ordered by match.
  const implied = isSearch ? '' : listing.defaultOrder;
  // A form that is sent without script would put it into the URL.
  const sentAs = (order: string) => (order === implied && !isHydrated ? '' : order);
  return (
    <div className="flex min-w-0 max-w-full flex-col gap-1.5 max-md:flex-[1_1_10rem]">
      <label htmlFor={id} className="text-sm font-semibold whitespace-nowrap max-md:sr-only">
        Sort by
      </label>
      <Select
        id={id}
        name="ordering"
        value={sentAs(shown ?? (values.ordering || implied))}
        onChange={({ target: { value } }) =>
          form.choose({ ordering: value === implied ? '' : value })
        }
        className="min-w-0"
      >
        {isSearch && <option value="">Best match</option>}
        <OrderOptions orders={listing.orders} sentAs={sentAs} />
      </Select>
    </div>
  );
}

interface OrderOptionsProps {
  orders: Readonly<Record<string, string>>;
  sentAs?: (order: string) => string;
}

export const OrderOptions = ({ orders, sentAs = (order) => order }: OrderOptionsProps) =>
  Object.entries(orders).map(([value, label]) => (
    <option key={value} value={sentAs(value)}>
      {label}
    </option>
  ));

/** Submits the form if there is no script to do so. */
export const ShowButton = () => (
  <div className="hidden noscript:block">
    <Button type="submit" variant="secondary" className="min-h-12">
      Show
    </Button>
  </div>
);
