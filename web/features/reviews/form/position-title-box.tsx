import { positionTitleEndpoints } from '#contract/endpoints/reviews.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { api } from '#web/lib/session.ts';
import { useOptionSearch } from '#web/lib/use-option-search.ts';
import { SearchField } from './search-field.tsx';

interface PositionTitleBoxProps {
  name: string;
  text: string;
  isAtFault: boolean;
  onChange: (text: string) => void;
}

const askTitles = async (search: string, signal: AbortSignal) => {
  const query = { search, page_size: PAGE_SIZE };
  return (await api.call(positionTitleEndpoints.list, { query, signal })).results;
};

/** Free text with suggestions: a title that is not among them is as good. */
export function PositionTitleBox({ name, text, isAtFault, onChange }: PositionTitleBoxProps) {
  const { term, results, status, search } = useOptionSearch(askTitles);
  const isUnknown = status === 'done' && results.length === 0;
  return (
    <SearchField
      label="Position Title *"
      placeholder="For example, Attending Physician"
      name={name}
      text={text}
      isAtFault={isAtFault}
      onType={(typed) => {
        onChange(typed);
        search(typed);
      }}
      options={results.map(({ id, title }) => ({
        key: String(id),
        label: titleCase(title),
        onChoose: () => onChange(titleCase(title)),
      }))}
      note={isUnknown ? `No positions found matching "${term}"` : null}
    />
  );
}
