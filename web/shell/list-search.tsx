import { Search } from 'lucide-react';
import { Form, useNavigate } from 'react-router';
import { SEARCH_MAX } from '#contract/limits.ts';
import { withQuery } from '#web/lib/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

interface ListSearchProps {
  /** The list's own path: the form asks it again. */
  action: string;
  search: string;
  placeholder: string;
  ordering: string;
  /** The default first. */
  orderings: Readonly<Record<string, string>>;
}

/** Search and order of a list, as a plain GET form: it works before, and without, the script. */
export function ListSearch({ action, search, placeholder, ordering, orderings }: ListSearchProps) {
  const navigate = useNavigate();
  const [defaultOrdering] = Object.keys(orderings);

  /** As the browser would, but without what is empty or, so that a search ranks, the default. */
  function ask(form: HTMLFormElement | null) {
    if (!form) return;
    const fields = [...new FormData(form)]
      .map(([name, value]) => [name, String(value)])
      .filter(([name, value]) => name !== 'ordering' || value !== defaultOrdering);
    void navigate(withQuery(action, Object.fromEntries(fields)));
  }

  return (
    <Form
      action={action}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        ask(event.currentTarget);
      }}
      className="flex flex-wrap items-end gap-3"
    >
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
          onChange={(event) => ask(event.currentTarget.form)}
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
