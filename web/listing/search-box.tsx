import { useId } from 'react';
import { SEARCH_MAX } from '#contract/limits.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { SearchLine } from './search-line.tsx';
import type { ListForm } from './use-list-form.ts';

interface SearchBoxProps {
  form: ListForm;
  label: string;
  placeholder: string;
  className?: string;
}

/** The search of a list, with a button that submits the form. */
export function SearchBox({ form, label, placeholder, className }: SearchBoxProps) {
  const id = useId();
  return (
    <div className={className}>
      <SearchLine id={id} label={label}>
        <TextInput
          id={id}
          type="search"
          name="search"
          placeholder={placeholder}
          value={form.values.search ?? ''}
          onChange={(event) => form.type({ search: event.target.value })}
          maxLength={SEARCH_MAX}
        />
      </SearchLine>
    </div>
  );
}
