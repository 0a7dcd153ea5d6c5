import { useId } from 'react';
import { SearchCombobox } from './search-combobox.tsx';
import { SearchSubmit } from './search-submit.tsx';
import type { SuggestionPaths } from './suggested-options.tsx';
import type { ListForm } from './use-list-form.ts';

interface ListSearchProps {
  form: ListForm;
  label: string;
  placeholder: string;
  /** Where suggestions lead, with the filters that are set. */
  paths: SuggestionPaths;
}

/** The search box of a list. It filters the list, and suggests pages to open. */
export function ListSearch({ form, label, placeholder, paths }: ListSearchProps) {
  const id = useId();
  return (
    <div className="flex min-w-[min(26rem,100%)] flex-1 items-end gap-3 max-md:basis-full">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <SearchCombobox
          id={id}
          text={form.values.search ?? ''}
          placeholder={placeholder}
          paths={paths}
          onType={(search) => form.type({ search })}
          onOpen={form.leave}
          onBlur={form.endTyping}
        />
      </div>
      <SearchSubmit />
    </div>
  );
}
