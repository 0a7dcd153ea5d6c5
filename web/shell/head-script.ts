import { NOTE_PRESSES_SCRIPT } from './early-presses.ts';
import { FIRST_PAINT_SCRIPT } from './first-paint.ts';

/** The inline script in the head of every page. */
export const HEAD_SCRIPT = NOTE_PRESSES_SCRIPT + FIRST_PAINT_SCRIPT;
