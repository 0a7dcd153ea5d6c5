import * as z from 'zod';

const KEY_BYTES = 32;
/** The chance that 32 random bytes have fewer distinct values is below 10^-15. */
const MIN_DISTINCT_BYTES = 16;

export const key = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === KEY_BYTES, 'must be 32 bytes in base64');

/** The first key is current. The others are still accepted until they are rotated out. */
export const keyList = z.string().transform((text, ctx) =>
  text.split(',').map((entry) => {
    const parsed = key.safeParse(entry.trim());
    if (parsed.success) return parsed.data;
    ctx.addIssue('must be KEY[,OLD KEY…], each 32 bytes in base64');
    return z.NEVER;
  }),
);

export const sealingKeys = z
  .string()
  .transform((text, ctx) =>
    text.split(',').map((entry) => {
      const [id = '', secret = ''] = entry.trim().split(':');
      const parsed = key.safeParse(secret);
      if (!/^[\w-]{1,20}$/.test(id) || !parsed.success) {
        ctx.addIssue('must be ID:KEY[,ID:KEY…], each KEY 32 bytes in base64');
        return z.NEVER;
      }
      return { id, key: parsed.data };
    }),
  )
  .refine(
    (keys) => new Set(keys.map(({ id }) => id)).size === keys.length,
    'must have a different ID for each key',
  );

/** The keys of one setting. */
export interface NamedKeys {
  readonly name: string;
  readonly keys: readonly Buffer[];
}

/** Checks the keys of all settings. Returns one line per setting and kind of error. */
export function keyErrors(settings: readonly NamedKeys[]): string[] {
  const weak = settings
    .filter(({ keys }) => keys.some(isWeak))
    .map(({ name }) => `${name}: is not random: make a key with openssl rand -base64 32`);
  const seen = new Map<string, string>();
  const repeated = settings.flatMap(({ name, keys }) =>
    keys.flatMap((bytes) => {
      const text = bytes.toString('base64');
      const first = seen.get(text);
      if (first === undefined) seen.set(text, name);
      if (first === undefined) return [];
      return first === name
        ? [`${name}: lists a key twice: remove one`]
        : [`${name}: repeats a key of ${first}: make each with openssl rand -base64 32`];
    }),
  );
  return [...weak, ...new Set(repeated)];
}

/** Zeros, a repeated pattern, or a sequence: typed instead of generated. */
function isWeak(bytes: Buffer): boolean {
  const steps = bytes.subarray(1).map((byte, at) => byte - (bytes[at] ?? 0));
  return new Set(bytes).size < MIN_DISTINCT_BYTES || new Set(steps).size === 1;
}
