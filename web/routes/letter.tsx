import { redirect } from 'react-router';
import { paths } from '#web/lib/paths.ts';

/** Leads to the screen that takes the code. */
export const loader = () => redirect(paths.verificationRequired());
