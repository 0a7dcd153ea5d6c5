import { redirect } from 'react-router';
import { paths } from '#web/lib/paths.ts';

/** Redirects to the page with the form for the code. */
export const loader = () => redirect(paths.verificationRequired());
