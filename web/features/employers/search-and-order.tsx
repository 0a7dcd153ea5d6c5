import { Search } from 'lucide-react';
import { EMPLOYER_ORDERINGS } from '#contract/employer-choices.ts';
import { SEARCH_MAX } from '#contract/limits.ts';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import type { DirectoryForm } from './use-directory-form.ts';

export function SearchBox({ form }: { form: DirectoryForm }) {
  return (
    <div className="relative min-w-56 flex-1 max-md:basis-full">
      <label htmlFor="employer-search" className="sr-only">
        Search employers
      </label>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3.5 size-5 -translate-y-1/2 text-ink-faint"
      />
      <TextInput
        id="employer-search"
        type="search"
        name="search"
        placeholder="Name, city, specialty or address"
        autoComplete="off"
        maxLength={SEARCH_MAX}
        value={form.values.search ?? ''}
        onChange={({ target }) => form.type({ search: target.value })}
        onBlur={form.endTyping}
        className="pl-11"
      />
    </div>
  );
}

/** With a search and no order chosen, the best match comes first: there is a name for that, then. */
export function Order({ form }: { form: DirectoryForm }) {
  const { search, ordering } = form.values;
  const [byName] = Object.keys(EMPLOYER_ORDERINGS);
  return (
    <div className="flex items-center gap-3 max-md:flex-1">
      <label
        htmlFor="employer-order"
        className="text-sm whitespace-nowrap text-ink-soft max-md:sr-only"
      >
        Sort by
      </label>
      <Select
        id="employer-order"
        name="ordering"
        value={ordering ?? (search ? '' : byName)}
        onChange={({ target }) => form.choose({ ordering: target.value })}
        className="min-w-40 max-md:flex-1"
      >
        {search && <option value="">Best match</option>}
        {Object.entries(EMPLOYER_ORDERINGS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}
