import { useState } from 'react';
import { paths } from '#web/lib/paths.ts';
import { SearchCombobox } from '#web/listing/search-combobox.tsx';
import type { SuggestionPaths } from '#web/listing/suggested-options.tsx';

export interface LandingComboboxProps {
  id: string;
  className: string;
  /** The text of the box that this one replaces, and whether it had the focus. */
  typed: string;
  hasFocus: boolean;
}

const PATHS: SuggestionPaths = {
  specialty: (specialty) => paths.employers({ specialty, ordering: '-established' }),
  position: (position_title) => paths.reviews({ position_title }),
  reviews: (search) => paths.reviews({ search }),
};

export function LandingCombobox({ id, className, typed, hasFocus }: LandingComboboxProps) {
  const [text, setText] = useState(typed);
  return (
    <SearchCombobox
      id={id}
      className={className}
      text={text}
      paths={PATHS}
      nothingFound="No suggestions. Press Enter to search all reviews."
      startsOpen={hasFocus}
      onType={setText}
      ref={hasFocus ? focusAtEnd : null}
    />
  );
}

function focusAtEnd(input: HTMLInputElement | null): void {
  input?.focus();
  input?.setSelectionRange(input.value.length, input.value.length);
}
