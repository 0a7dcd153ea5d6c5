import { Search } from 'lucide-react';
import { SEARCH_MAX } from '#contract/limits.ts';
import type { ListForm } from '#web/listing/use-list-form.ts';
import { TextInput } from '#web/ui/text-input.tsx';

export function SearchBox({ form }: { form: ListForm }) {
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
