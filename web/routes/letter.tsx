import { redirect } from 'react-router';
import { paths } from '#web/lib/paths.ts';

/** The short address on the letters with codes: short enough to type, and neutral. */
export function loader() {
  return redirect(paths.verificationRequired());
}
