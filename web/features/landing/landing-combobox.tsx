import { useState } from 'react';
import { paths } from '#web/lib/paths.ts';
import { SearchCombobox } from '#web/listing/search-combobox.tsx';
import type { SuggestionPaths } from '#web/listing/suggested-options.tsx';
import type { TakeBox } from '#web/ui/combobox.tsx';

interface LandingComboboxProps {
  id: string;
  /** The text of the box, and whether it has the focus. */
  typed: string;
  hasFocus: boolean;
  takeBox: TakeBox;
}

const PATHS: SuggestionPaths = {
  employers: (search) => paths.employers({ search }),
  specialty: (specialty) => paths.employers({ specialty, ordering: '-established' }),
  position: (position_title) => paths.reviews({ position_title }),
  reviews: (search) => paths.reviews({ search }),
};

export function LandingCombobox({ id, typed, hasFocus, takeBox }: LandingComboboxProps) {
  const [text, setText] = useState(typed);
  return (
    <SearchCombobox
      id={id}
      text={text}
      paths={PATHS}
      nothingFound="No suggestions. Press Enter to search all employers."
      startsOpen={hasFocus}
      onType={setText}
      takeBox={takeBox}
    />
  );
}
