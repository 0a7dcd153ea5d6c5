import { useId } from 'react';
import { cx } from '#web/ui/cx.ts';
import { SearchCombobox } from './search-combobox.tsx';
import { SearchLine } from './search-line.tsx';
import type { SuggestionPaths } from './suggested-options.tsx';
import type { ListForm } from './use-list-form.ts';

interface ListSearchProps {
  form: ListForm;
  /** Shown above the box. */
  label: string;
  /** What the user can search for. */
  placeholder: string;
  /** Where it is in the page. */
  className: string;
  /** There is no room for the button's text, even on a wide page. */
  isShort?: boolean;
  /** The URLs of suggestions, which keep the current filters. */
  paths: SuggestionPaths;
}

/** The search box of a list. It filters the list, and suggests pages to open. */
export function ListSearch(props: ListSearchProps) {
  const { form, label, placeholder, paths, className, isShort } = props;
  const id = useId();
  return (
    <div className={className}>
      <SearchLine id={id} label={label} isShort={isShort}>
        <SearchCombobox
          id={id}
          placeholder={placeholder}
          className={cx('max-sm:placeholder:text-xs', isShort && 'lg:max-xl:placeholder:text-xs')}
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
