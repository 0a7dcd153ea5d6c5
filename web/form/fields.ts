import type { ComponentProps, FormEventHandler, ReactElement, ReactNode } from 'react';

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
export interface FieldColumns {
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
