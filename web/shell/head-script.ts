import { NOTE_PRESSES_SCRIPT } from './early-presses.ts';
import { FIRST_PAINT_SCRIPT } from './first-paint.ts';

/** The inline script in the head of every page. It runs only when the server's page is read. */
export const HEAD_SCRIPT = import.meta.env.SSR ? NOTE_PRESSES_SCRIPT + FIRST_PAINT_SCRIPT : ' ';
