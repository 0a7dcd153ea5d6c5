import { useId } from 'react';
import { SEARCH_MAX } from '#contract/limits.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { SearchSubmit } from './search-submit.tsx';
import type { ListForm } from './use-list-form.ts';

interface SearchBoxProps {
  form: ListForm;
  label: string;
  className?: string;
}

/** The search of a list, with a button that submits the form. */
export function SearchBox({ form, label, className }: SearchBoxProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <div className="mt-1.5 flex flex-wrap gap-3">
        <TextInput
          id={id}
          type="search"
          name="search"
          value={form.values.search ?? ''}
          onChange={(event) => form.type({ search: event.target.value })}
          maxLength={SEARCH_MAX}
          className="min-w-0 flex-[999_1_11rem]"
        />
        <SearchSubmit />
      </div>
    </div>
  );
}
