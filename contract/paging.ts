import * as z from 'zod/mini';
import { PAGE_MAX, PAGE_SIZE, PAGE_SIZE_MAX, SEARCH_MAX } from './limits.ts';

/** A whole number in a query string. */
export const queryInt = (min: number, max: number, message: string) =>
  z.coerce.number(message).check(z.int(message), z.minimum(min, message), z.maximum(max, message));

const DECIMAL = /^-?\d+$/;

/** Refuses text that `Number` reads as a whole number, but nobody else does: '', '0x1', '1e3'. */
export function parseInput<Schema extends z.core.$ZodType>(
  schema: Schema,
  input: unknown,
  context?: z.core.ParseContext<z.core.$ZodIssue>,
) {
  const parsed = z.safeParse(schema, input, context);
  const read = Object(parsed.data) as Readonly<Record<string, unknown>>;
  const odd = Object.entries(Object(input)).filter(
    ([name, text]) =>
      typeof text === 'string' && typeof read[name] === 'number' && !DECIMAL.test(text),
  );
  if (odd.length === 0) return parsed;
  const refused = Object.fromEntries(odd.map(([name]) => [name, 'NaN']));
  return z.safeParse(schema, { ...Object(input), ...refused }, context);
}

/** A tri-state filter: 'true', 'false', or omitted. */
export const queryBoolean = z.enum(['true', 'false'], "Must be 'true' or 'false'");

/** Ids in a query string, separated by commas: at most a page of them. */
export const queryIds = (missing: string, wrong: string) =>
  z.pipe(
    z.pipe(
      z.string(missing),
      z.transform((ids: string) => ids.split(',').filter(Boolean)),
    ),
    z
      .array(z.uuid(wrong))
      .check(z.maxLength(PAGE_SIZE_MAX, `Must be at most ${PAGE_SIZE_MAX} ids`)),
  );

/** Which page of a list. `page` counts from 1. */
export const pageQuery = {
  page: z._default(queryInt(1, PAGE_MAX, `Page must be a whole number from 1 to ${PAGE_MAX}`), 1),
  page_size: z._default(
    queryInt(1, PAGE_SIZE_MAX, `Page size must be a whole number from 1 to ${PAGE_SIZE_MAX}`),
    PAGE_SIZE,
  ),
};

/** Parameters of a list that can be searched. */
export const listQuery = {
  ...pageQuery,
  search: z.optional(
    z
      .string()
      .check(z.trim(), z.maxLength(SEARCH_MAX, `Search must be at most ${SEARCH_MAX} characters`)),
  ),
};

/** One page of a list. `next` and `previous` are paths under /api. */
export const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.strictObject({
    count: z.int(),
    next: z.nullable(z.string()),
    previous: z.nullable(z.string()),
    results: z.array(item),
  });

/**
 * One page of a searchable list. `is_closest` is set if nothing matches the search exactly, and the
 * results are the closest matches.
 */
export const searchedPageOf = <T extends z.ZodMiniType>(item: T) =>
  z.extend(pageOf(item), { is_closest: z.optional(z.literal(true)) });

export interface Page<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: T[];
  is_closest?: true | undefined;
}
