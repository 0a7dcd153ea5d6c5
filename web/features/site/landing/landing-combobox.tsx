import { useState } from 'react';
import { paths } from '#web/lib/paths.ts';
import { SearchCombobox, type SuggestionPaths } from '#web/listing/search-combobox.tsx';
import type { TakeBox } from '#web/ui/combobox.tsx';

interface LandingComboboxProps {
  /** The box, which is already on the page. */
  input: HTMLInputElement;
  takeBox: TakeBox;
}

const PATHS: SuggestionPaths = {
  employers: (search) => paths.employers({ search }),
  specialty: (specialty) => paths.employers({ specialty, ordering: '-established' }),
  position: (position_title) => paths.reviews({ position_title }),
  reviews: (search) => paths.reviews({ search }),
};

export function LandingCombobox({ input, takeBox }: LandingComboboxProps) {
  const [text, setText] = useState(input.value);
  const [hadFocus] = useState(document.activeElement === input);
  return (
    <SearchCombobox
      id={input.id}
      text={text}
      paths={PATHS}
      nothingFound="No suggestions. Press Enter to search all employers."
      startsOpen={hadFocus}
      onType={setText}
      takeBox={takeBox}
    />
  );
}
