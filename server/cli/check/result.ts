/** What a check found. `fail` keeps Curbside from working; `warn` will, or is a risk. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly what: 'settings' | 'database' | 'keys' | 'mail' | 'registry' | 'disk' | 'backup';
  /** What was found, and what to do. Never a secret, nor the text of a server's error. */
  readonly says: string;
}

type Say = (says: string) => Finding;

/** How the checks of one subject report. */
export const reporter = (what: Finding['what']): Record<Finding['level'], Say> => ({
  ok: (says) => ({ level: 'ok', what, says }),
  warn: (says) => ({ level: 'warn', what, says }),
  fail: (says) => ({ level: 'fail', what, says }),
});
