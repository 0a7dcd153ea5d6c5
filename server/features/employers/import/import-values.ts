import * as z from 'zod/mini';
import { BOUND_MAX } from '#contract/employers/employer-choices.ts';
import { formatPhone, isZip } from '#contract/employers/employer-facts.ts';
import { isState } from '#contract/employers/states.ts';

/** An error in a row. The message is for the terminal. */
export class RowError extends Error {}

/**
 * Reports a value that was not as the file spells it: `repaired`, or `unknown` and stored as null.
 */
export type Note = (column: string, text: string, outcome: 'repaired' | 'unknown') => void;

/** The cells of a row that are read, by column. An optional column that the file lacks is empty. */
export type Fields = Readonly<Record<string, string>>;

export const isDay = (text: string) => z.iso.date().safeParse(text).success;

/** The sources' values for unknown. */
const UNKNOWN: ReadonlySet<string> = new Set(['', 'NOT AVAILABLE', 'Not Available', '-999']);
/** What other programs make of them when they save the file. */
const SAVED_UNKNOWN = /^(?:nan|null|none|n\/?a|<na>|not available|-999\.0+)$/i;
/** Far longer than any value in the files. Longer ones are misplaced. */
const TEXT_MAX = 300;

/** The text of an optional column, or null if it is unknown. */
export function read(fields: Fields, column: string, note: Note): string | null {
  const given = (fields[column] ?? '').trim();
  if (UNKNOWN.has(given)) return null;
  const text = given.replace(/\p{Cc}+/gu, ' ').trim();
  if (text === '' || text.length > TEXT_MAX || SAVED_UNKNOWN.test(text)) {
    note(column, given, 'unknown');
    return null;
  }
  if (text !== given) note(column, given, 'repaired');
  return text;
}

/** A value, and the text that the file has for it, if it is not the one given. */
type Converted<T> = [value: T | null, spelling?: string];

export function convert<T>(
  fields: Fields,
  column: string,
  note: Note,
  toValue: (text: string) => Converted<T>,
): T | null {
  const text = read(fields, column, note);
  if (text === null) return null;
  const [value, spelling = text] = toValue(text);
  if (value === null) note(column, text, 'unknown');
  else if (spelling !== text) note(column, text, 'repaired');
  return value;
}

/** @throws RowError */
export function required(fields: Fields, column: string, max: number): string {
  const text = (fields[column] ?? '').trim();
  if (UNKNOWN.has(text)) throw new RowError(`${column} is empty`);
  if (/\p{Cc}/u.test(text)) throw new RowError(`${column} has a control character`);
  if (text.length > max) throw new RowError(`${column} is over ${max} characters long`);
  return text;
}

const ID_MAX = 50;

/** An identifier of so many characters: spreadsheets cut leading zeros. @throws RowError */
export function toId(
  fields: Fields,
  column: string,
  { length, shape }: { length: number; shape: RegExp },
  note: Note,
): string {
  const text = required(fields, column, ID_MAX);
  const id = wholeNumber(text)?.padStart(length, '0') ?? text;
  if (!shape.test(id)) throw new RowError(`${column} '${text}' is not a number of this file`);
  if (id !== text) note(column, text, 'repaired');
  return id;
}

/** @throws RowError */
export function toState(fields: Fields, column: string, note: Note): string {
  const text = required(fields, column, TEXT_MAX);
  const state = text.toUpperCase();
  if (!isState(state)) throw new RowError(`${column} '${text}' is not a state or territory`);
  if (state !== text) note(column, text, 'repaired');
  return state;
}

/** ZIP codes and ZIP+4, without up to two leading zeros. */
const ZIP_LENGTHS = [3, 4, 5, 7, 8, 9];

/** Pads 3820 to 03820, and 38201234 to 03820-1234. Cost reports write 54868-. */
export function toZip(given: string): Converted<string> {
  const text = given.replace(/-$/, '');
  if (isZip(text)) return [text, text];
  const digits = /^(\d{3,4})-(\d{4})$/.exec(text)?.slice(1).join('') ?? wholeNumber(text) ?? '';
  const zip =
    digits.length <= 5
      ? digits.padStart(5, '0')
      : digits.padStart(9, '0').replace(/(?=\d{4}$)/, '-');
  return ZIP_LENGTHS.includes(digits.length) ? [zip, zip] : [null];
}

export const toPhone = (text: string): Converted<string> => [formatPhone(text)];

export function toCount(text: string): Converted<number> {
  const isGrouped = /^\d{1,3}(?:,\d{3})+$/.test(text);
  const digits = wholeNumber(isGrouped ? text.replaceAll(',', '') : text);
  return digits !== undefined && Number(digits) <= BOUND_MAX ? [Number(digits), digits] : [null];
}

/** The digits of 25 or 25.0. */
const wholeNumber = (text: string) => /^(\d+)(?:\.0*)?$/.exec(text)?.[1];

/** A whole number of people, from a number of full-time equivalents such as 52.21. */
export const toPeople = (text: string): Converted<number> =>
  /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? [Math.round(Number(text))] : [null];

export const oneOf =
  <T>(values: ReadonlyMap<string, T>) =>
  (text: string): Converted<T> => {
    const spelling = text.toUpperCase();
    return [values.get(spelling) ?? null, values.has(text) ? text : spelling];
  };

export function titleCase(text: string): string {
  return text.toLowerCase().replace(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase());
}
