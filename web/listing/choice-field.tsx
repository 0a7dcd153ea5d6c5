import { formatCount } from '#web/lib/format.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import type { ListForm } from './use-list-form.ts';

export interface Choice {
  value: string;
  label: string;
  /** How many items have it. */
  count?: number | undefined;
}

interface ChoiceFieldProps {
  form: ListForm;
  name: string;
  label: string;
  /** Reads as the choice of none: 'All states'. */
  any: string;
  choices: readonly Choice[];
  className?: string;
  selectClassName?: string;
}

/** A filter with one of a few values. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { form, name, label, any, choices, className, selectClassName } = props;
  const chosen = form.values[name] ?? '';
  const isListed = chosen === '' || choices.some(({ value }) => value === chosen);
  return (
    <Field label={label} className={className ?? ''}>
      {(control) => (
        <Select
          {...control}
          name={name}
          value={chosen}
          onChange={({ target }) => form.choose({ [name]: target.value })}
          className={selectClassName}
        >
          <option value="">{any}</option>
          {!isListed && <option value={chosen}>{chosen}</option>}
          {choices.map(({ value, label: text, count }) => (
            <option key={value} value={value}>
              {text + inBrackets(count)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

export const inBrackets = (count: number | undefined) =>
  count === undefined ? '' : ` (${formatCount(count)})`;
