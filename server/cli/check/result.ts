/** What is checked, in this order. */
export const SUBJECTS = [
  'settings',
  'database',
  'keys',
  'registry',
  'mail',
  'site',
  'disk',
  'backup',
  'inventory',
] as const;

/** The result of a check. `fail`: Curbside cannot work. `warn`: it soon may not, or there is a risk. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly what: (typeof SUBJECTS)[number];
  /** What was found, and what to do. Never a secret or the text of a server's error. */
  readonly says: string;
}

type Say = (says: string) => Finding;

/** How the checks of one subject report. */
export const reporter = (what: Finding['what']): Record<Finding['level'], Say> => ({
  ok: (says) => ({ level: 'ok', what, says }),
  warn: (says) => ({ level: 'warn', what, says }),
  fail: (says) => ({ level: 'fail', what, says }),
});
