import { useId } from 'react';
import { SearchCombobox } from './search-combobox.tsx';
import { SearchLine } from './search-line.tsx';
import type { SuggestionPaths } from './suggested-options.tsx';
import type { ListForm } from './use-list-form.ts';

interface ListSearchProps {
  form: ListForm;
  /** Shown above the box. */
  label: string;
  /** What the user can search for. */
  placeholder?: string;
  /** The URLs of suggestions, which keep the current filters. */
  paths: SuggestionPaths;
}

/** The search box of a list. It filters the list, and suggests pages to open. */
export function ListSearch({ form, label, placeholder, paths }: ListSearchProps) {
  const id = useId();
  return (
    <div className="min-w-[min(26rem,100%)] flex-1 max-md:basis-full">
      <SearchLine id={id} label={label}>
        <SearchCombobox
          id={id}
          placeholder={placeholder}
          className="max-sm:placeholder:text-xs"
          text={form.values.search ?? ''}
          paths={paths}
          onType={(search) => form.type({ search })}
          onOpen={form.leave}
          onBlur={form.endTyping}
        />
      </SearchLine>
    </div>
  );
}
