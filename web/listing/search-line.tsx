import { Search } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { NO_EXACT_MATCH } from '#web/lib/use-option-search.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { SearchCombobox, type SuggestionPaths } from './search-combobox.tsx';
import type { ListForm } from './use-list-form.ts';

interface SearchLineProps {
  /** The id of the box. */
  id: string;
  /** Shown above the box. */
  label: string;
  /** The box. */
  children: ReactNode;
  isShort?: boolean | undefined;
}

/**
 * A search box under its label, with the button that submits its form. On a phone, and if it is
 * short, the button is only an icon.
 */
export function SearchLine({ id, label, children, isShort = false }: SearchLineProps) {
  return (
    <>
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      {/* With large text, the button fills its own line. */}
      <div className="stage mt-1.5 flex flex-wrap gap-3">
        <div className="min-w-0 flex-[999_1_11rem]">{children}</div>
        <Button
          type="submit"
          variant="secondary"
          className={cx('min-h-12 grow max-sm:px-4', isShort && 'lg:grow-0 lg:px-4')}
        >
          <Search aria-hidden className="size-4" />
          <span className={cx('max-sm:sr-only', isShort && 'lg:sr-only')}>Search</span>
        </Button>
      </div>
    </>
  );
}

/** Shown above results that match a search only approximately. */
export const ClosestNote = () => (
  <p className="pb-4 font-display text-xl text-balance">{NO_EXACT_MATCH}</p>
);

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
