import * as z from 'zod/mini';
import { atMost, oneLine } from '../fields.ts';
import { CHOICE_MAX } from '../limits.ts';
import { STATE_NAMES } from './states.ts';

export const STATES: ReadonlySet<string> = new Set(Object.keys(STATE_NAMES));
export const isState = (code: string): boolean => STATES.has(code);
export const STATE_MESSAGE = 'Must be the two letters of a state';

/**
 * Where an employer is that is given by its name. What is omitted is not compared; what is null or
 * blank is not known, so it only matches an employer without it.
 */
export const placeOfName = {
  city: z.optional(z.nullable(z.string().check(z.trim(), atMost(CHOICE_MAX), oneLine))),
  state: z.optional(
    z.nullable(
      z.string().check(
        z.trim(),
        z.toUpperCase(),
        z.refine((code) => code === '' || isState(code), STATE_MESSAGE),
      ),
    ),
  ),
};
