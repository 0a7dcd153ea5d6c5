import { titleCase } from '#contract/names.ts';
import { REVIEW_FILTER_CHOICES } from '#contract/review-choices.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { citiesOf, cityLabel, type Filters, joinCities } from './filters.ts';
import { OptionBox } from './option-box.tsx';
import type { ListState } from './review-list.ts';

export interface FilterFieldsProps {
  state: Pick<ListState, 'filters' | 'options'>;
  onChange: (filters: Filters) => void;
}

/** Position and place: each found among many. */
export function PlaceFields({ state: { filters, options }, onChange }: FilterFieldsProps) {
  const cities = citiesOf(filters);
  const isFree = (city: string) => !cities.some((one) => cityLabel(one) === cityLabel(city));
  return (
    <>
      <OptionBox
        label="Position title"
        name="position_title"
        placeholder="Any position"
        value={filters.position_title ?? ''}
        options={options?.position_titles ?? null}
        format={titleCase}
        onChoose={(position_title) => onChange({ ...filters, position_title })}
      />
      <OptionBox
        label="State"
        name="state"
        placeholder="Any state"
        value={filters.state ?? ''}
        options={options?.states ?? null}
        format={(state) => state.toUpperCase()}
        onChoose={(state) => onChange({ ...filters, state })}
      />
      {/* Those that are chosen stand among the choices; this box adds one more. */}
      <OptionBox
        label="City"
        name="city"
        placeholder={cities.length > 0 ? 'Add a city' : 'Any city'}
        options={options?.cities.filter(isFree) ?? null}
        format={cityLabel}
        onChoose={(city) => onChange({ ...filters, city: joinCities([...cities, city]) })}
      />
    </>
  );
}

const CHOICE_LABELS = {
  min_rating: ['Minimum rating', 'Any rating'],
  would_recommend: ['Recommendation', 'Any'],
  is_current_employee: ['Employment', 'Any'],
} as const;
export type ChoiceName = keyof typeof CHOICE_LABELS;

/** One of a few. */
export function ChoiceField({
  name,
  state: { filters },
  onChange,
}: FilterFieldsProps & { name: ChoiceName }) {
  const [label, any] = CHOICE_LABELS[name];
  return (
    <Field label={label}>
      {(control) => (
        <Select
          id={control.id}
          name={name}
          value={filters[name] ?? ''}
          onChange={(event) => onChange({ ...filters, [name]: event.target.value })}
        >
          <option value="">{any}</option>
          {REVIEW_FILTER_CHOICES[name].map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
