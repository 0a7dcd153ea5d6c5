import { Check, Circle } from 'lucide-react';
import { useId } from 'react';
import { Checkbox, Radio } from '#web/ui/checkbox.tsx';
import { cx } from '#web/ui/cx.ts';
import { Field, FieldError } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { PasswordInput, TextArea, TextInput } from '#web/ui/text-input.tsx';
import type { FieldSpec } from './fields.ts';

interface FormFieldProps {
  field: FieldSpec;
  typed: string;
  error: string | undefined;
}

const focusOn = (element: HTMLElement | null) => element?.focus();

/** The control of a field, with its label, hint, and error. */
export function FormField({ field, typed, error }: FormFieldProps) {
  const rulesId = useId();
  const { name, kind = 'text', label, hint, value, options = [], rules, clean, onFile } = field;
  if (kind === 'checkbox') return <Checkbox name={name} label={label} hint={hint} />;
  if (kind === 'radios' || kind === 'checkboxes') return <Choices field={field} error={error} />;

  const { autoCapitalize, autoComplete, autoCorrect, inputMode, maxLength, spellCheck } = field;
  const shared = {
    name,
    autoCapitalize,
    autoComplete,
    autoCorrect,
    inputMode,
    maxLength,
    spellCheck,
    defaultValue: value as string | undefined,
    className: field.boxClass,
    ref: field.takesFocus ? focusOn : undefined,
    onInput: field.onInput,
  };
  return (
    <Field label={label} hint={hint} error={error} className={field.className}>
      {(control) => {
        const box = {
          ...shared,
          ...control,
          'aria-describedby':
            cx(control['aria-describedby'], field['aria-describedby'], rules && rulesId) ||
            undefined,
        };
        if (kind === 'area') return <TextArea {...box} rows={field.rows} />;
        if (kind === 'select') {
          const { defaultValue, ref, onInput } = shared;
          return (
            <Select {...{ ...control, name, defaultValue, ref, onInput }}>
              {field.placeholder !== undefined && <option value="">{field.placeholder}</option>}
              {options.map(([option, text]) => (
                <option key={option} value={option}>
                  {text}
                </option>
              ))}
            </Select>
          );
        }
        if (kind === 'password') {
          return (
            <>
              <PasswordInput {...box} />
              {rules && (
                <Rules id={rulesId} rules={rules} typed={typed} isInvalid={error !== undefined} />
              )}
            </>
          );
        }
        return (
          <TextInput
            {...box}
            type={kind}
            accept={field.accept}
            onChange={onFile && (({ target }) => onFile(target.files?.[0]))}
            onInput={
              clean
                ? ({ currentTarget: input }) => {
                    if (clean(input.value) !== input.value) input.value = clean(input.value);
                  }
                : shared.onInput
            }
          />
        );
      }}
    </Field>
  );
}

function Choices({ field, error }: Omit<FormFieldProps, 'typed'>) {
  const id = useId();
  const { name, kind, label, hint, value, options = [] } = field;
  const Choice = kind === 'radios' ? Radio : Checkbox;
  return (
    <fieldset aria-describedby={error && id} className="flex flex-col">
      <legend className="text-sm font-semibold">{label}</legend>
      {options.map(([option, text, explanation]) => (
        <Choice
          key={option}
          name={name}
          value={option}
          label={text}
          hint={explanation}
          defaultChecked={[value].flat().includes(option)}
        />
      ))}
      {hint && <p className="mt-2 text-sm text-ink-soft">{hint}</p>}
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  );
}

interface RulesProps {
  id: string;
  rules: NonNullable<FieldSpec['rules']>;
  typed: string;
  isInvalid: boolean;
}

/** Which rules the password meets so far. */
function Rules({ id, rules, typed, isInvalid }: RulesProps) {
  return (
    <div id={id} className="mt-1 flex flex-wrap gap-x-4 text-xs">
      <p className="w-full text-ink-soft">Your password needs:</p>
      <ul className="contents">
        {rules.map(({ text, pattern }) => {
          const isMet = pattern.test(typed);
          const Icon = isMet ? Check : Circle;
          const tone = isMet ? 'text-accent' : isInvalid ? 'text-danger' : 'text-ink-faint';
          return (
            <li key={text} className={cx('flex gap-1.5', tone)}>
              <Icon
                aria-hidden
                className={cx('shrink-0', isMet ? 'mt-0.75 size-3.5' : 'mx-0.75 mt-1.5 size-2')}
              />
              <span className="sr-only">{isMet ? 'Met:' : 'Not met:'}</span>
              <span>{text}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
