import { type Ref, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { suggestionEndpoints } from '#contract/endpoints/reviews.ts';
import { SEARCH_MAX, SUGGEST_FROM } from '#contract/limits.ts';
import { api } from '#web/lib/session.ts';
import { NO_EXACT_MATCH, useOptionSearch } from '#web/lib/use-option-search.ts';
import { Combobox, type TakeBox } from '#web/ui/combobox.tsx';
import { type SuggestionPaths, suggestedOptions } from './suggested-options.tsx';

export interface SearchComboboxProps {
  id: string;
  text: string;
  className?: string;
  placeholder?: string | undefined;
  /** The URLs of suggestions that filter or search a list. */
  paths: SuggestionPaths;
  /** Shown instead of suggestions if there are none. */
  nothingFound?: string | null;
  /** The user has already typed. */
  startsOpen?: boolean;
  onType: (text: string) => void;
  /** Called before a suggestion opens. */
  onOpen?: () => void;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
  takeBox?: TakeBox;
}

const ask = async (search: string, signal: AbortSignal) => [
  await api.call(suggestionEndpoints.list, { query: { search }, signal }),
];

/**
 * The text box of every search, with suggestions (docs/product.md, "Search boxes"). Enter submits the
 * form around it, unless the user has moved to a suggestion.
 */
export function SearchCombobox({
  paths,
  nothingFound = null,
  onType,
  onOpen,
  startsOpen,
  ...box
}: SearchComboboxProps) {
  const navigate = useNavigate();
  const { results, status, search } = useOptionSearch(ask);
  const [suggestions] = results;

  function open(path: string) {
    onOpen?.();
    void navigate(path);
  }

  function suggest(text: string) {
    search(text.trim().length < SUGGEST_FROM ? '' : text);
  }

  const found = suggestions ? suggestedOptions(suggestions, box.text, paths, open) : [];
  // The search alone is no suggestion.
  const options = found.length > 1 ? found : [];
  const isNothingFound = status === 'done' && options.length === 0;
  const closestNote = suggestions?.is_closest ? NO_EXACT_MATCH : null;

  function type(text: string) {
    onType(text);
    suggest(text);
  }

  const takeTyped = useEffectEvent(() => {
    const input = document.getElementById(box.id) as HTMLInputElement;
    if (startsOpen) suggest(box.text);
    else if (input.value !== box.text) type(input.value);
  });
  // What was typed while the scripts were loading.
  useEffect(() => takeTyped(), []);

  return (
    <Combobox
      {...box}
      type="search"
      isPageWide
      name="search"
      maxLength={SEARCH_MAX}
      startsOpen={startsOpen ?? false}
      onType={type}
      options={options}
      note={isNothingFound ? nothingFound : closestNote}
    />
  );
}
