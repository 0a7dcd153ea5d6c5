import { Check, Circle } from 'lucide-react';
import {
  type ComponentProps,
  type FormEventHandler,
  type ReactElement,
  type ReactNode,
  useId,
} from 'react';
import { focusOn } from '#web/ui/banner.tsx';
import { cx } from '#web/ui/cx.ts';
import {
  Checkbox,
  Field,
  FieldError,
  PasswordInput,
  Radio,
  Select,
  TextArea,
  TextInput,
} from '#web/ui/inputs.tsx';

/** A choice of a list, and an explanation in smaller type. */
export type Option = readonly [value: string, label: ReactNode, hint?: string];

type BoxAttributes = Pick<
  ComponentProps<'input'>,
  | 'accept'
  | 'autoCapitalize'
  | 'autoComplete'
  | 'autoCorrect'
  | 'inputMode'
  | 'maxLength'
  | 'spellCheck'
  | 'aria-describedby'
>;

/** One field of a form. Only the name and the label are required: that is a line of text. */
export interface FieldSpec extends BoxAttributes {
  name: string;
  label: ReactNode;
  kind?:
    | 'text'
    | 'email'
    | 'date'
    | 'password'
    | 'area'
    | 'select'
    | 'radios'
    | 'checkbox'
    | 'checkboxes'
    | 'file';
  hint?: ReactNode;
  /** An error that only the caller knows. */
  error?: string | undefined;
  /** What is in the field at first. For check boxes, the chosen values. */
  value?: string | readonly string[] | undefined;
  options?: readonly Option[];
  /** The text of a list's first option, which chooses nothing. */
  placeholder?: string;
  rows?: number;
  /** The class of the whole field, and the class of its box. */
  className?: string;
  boxClass?: string;
  /** A new key empties the field. */
  key?: string;
  /** The field has the focus once it appears. */
  takesFocus?: boolean;
  /** The form cannot be sent while the field is blank. */
  isAwaited?: boolean;
  /** Says what is wrong as soon as the user leaves the field. */
  checksOnBlur?: boolean;
  /** Removes characters from what is typed or pasted. */
  clean?: (typed: string) => string;
  /** What is sent instead of the text. Nothing, if undefined. */
  read?: (typed: string) => unknown;
  onInput?: FormEventHandler<HTMLElement> | undefined;
  /** Called with the text when the user leaves the field. */
  onLeave?: (typed: string) => void;
  onFile?: (chosen: File | undefined) => void;
  /** The current password: tells a password manager whose it is. */
  account?: string;
  /** A new password: shows, as the user types, which rules it meets. */
  rules?: readonly { readonly text: string; readonly pattern: RegExp }[];
  /** The name of a field that has to be typed again here, and the error if the two differ. */
  repeats?: readonly [name: string, error: string];
}

/** Fields next to each other. */
interface FieldColumns {
  columns: readonly FieldSpec[];
  className?: string;
}

/** Elements stand between the fields. */
export type FormEntry = FieldSpec | FieldColumns | ReactElement | false | null | undefined;

export const isField = (entry: FormEntry): entry is FieldSpec =>
  Boolean(entry) && 'name' in Object(entry);

export const isColumns = (entry: FormEntry): entry is FieldColumns =>
  Boolean(entry) && 'columns' in Object(entry);

/** The texts in the fields, by name. */
export type Typed = Readonly<Record<string, string>>;

export const textsOf = (data: FormData): Typed =>
  Object.fromEntries(
    [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** What is sent, not checked yet. Files and repeated fields are not part of it. */
export function valuesOf(fields: readonly FieldSpec[], data: FormData): Record<string, unknown> {
  const values = fields
    .filter(({ kind, repeats }) => kind !== 'file' && !repeats)
    .map((field) => [field.name, readValue(field, data)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function readValue({ name, kind, read }: FieldSpec, data: FormData): unknown {
  if (kind === 'checkbox') return data.has(name);
  if (kind === 'checkboxes') return data.getAll(name);
  const text = data.get(name);
  return read && typeof text === 'string' ? read(text) : (text ?? undefined);
}

/** Whether a field that must be typed twice was typed in two ways. */
export const isDifferent = ({ name, repeats }: FieldSpec, typed: Typed): boolean =>
  repeats !== undefined && (typed[name] ?? '') !== (typed[repeats[0]] ?? '');

interface FormFieldProps {
  field: FieldSpec;
  typed: string;
  error: string | undefined;
}

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
