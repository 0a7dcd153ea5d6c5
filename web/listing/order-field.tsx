import { useId } from 'react';
import { Select } from '#web/ui/select.tsx';
import type { ListForm } from './use-list-form.ts';

/** A search with no order chosen shows the best match first, so it has that choice as well. */
export function OrderField({ form }: { form: ListForm }) {
  const id = useId();
  const { listing, values } = form;
  const isSearch = Boolean(values.search?.trim());
  // Left out of the address, so that a later search ranks by match.
  const implied = isSearch ? '' : listing.defaultOrder;
  return (
    <div className="flex items-center gap-3 max-md:flex-1">
      <label htmlFor={id} className="text-sm whitespace-nowrap text-ink-soft max-md:sr-only">
        Sort by
      </label>
      <Select
        id={id}
        name="ordering"
        value={values.ordering || implied}
        onChange={({ target: { value } }) =>
          form.choose({ ordering: value === implied ? '' : value })
        }
        className="min-w-40 flex-1"
      >
        {isSearch && <option value="">Best match</option>}
        <OrderOptions orders={listing.orders} />
      </Select>
    </div>
  );
}

export const OrderOptions = ({ orders }: { orders: Readonly<Record<string, string>> }) =>
  Object.entries(orders).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
