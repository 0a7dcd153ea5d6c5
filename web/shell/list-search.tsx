import { Search } from 'lucide-react';
import { Form, useSubmit } from 'react-router';
import { SEARCH_MAX } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

interface ListSearchProps {
  /** The list's own path: the form asks it again. */
  action: string;
  search: string;
  placeholder: string;
  ordering: string;
  orderings: Readonly<Record<string, string>>;
}

/** Search and order of a list, as a plain GET form: it works before, and without, the script. */
export function ListSearch({ action, search, placeholder, ordering, orderings }: ListSearchProps) {
  const submit = useSubmit();
  return (
    <Form action={action} role="search" className="flex flex-wrap items-end gap-3">
      <div className="min-w-56 flex-1">
        <label htmlFor="list-search" className="sr-only">
          Search
        </label>
        <TextInput
          id="list-search"
          type="search"
          name="search"
          defaultValue={search}
          placeholder={placeholder}
          maxLength={SEARCH_MAX}
        />
      </div>
      <Button type="submit" variant="secondary" className="min-h-12 max-sm:px-4">
        <Search aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Search</span>
      </Button>
      <div className="flex items-center gap-3 max-sm:w-full">
        <label htmlFor="list-order" className="text-sm whitespace-nowrap text-ink-soft">
          Sort by
        </label>
        <Select
          id="list-order"
          name="ordering"
          defaultValue={ordering}
          onChange={(event) => void submit(event.currentTarget.form)}
          className="min-w-44 max-sm:flex-1"
        >
          {Object.entries(orderings).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
    </Form>
  );
}
