import { data } from 'react-router';
import type { Role } from '#contract/staff-roles.ts';
import { requireUser, type SignedIn } from '#web/lib/guards.ts';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { type ApiError, textMember } from '#web/lib/transport-error.ts';

/**
 * An administrator, with the role if one is given. To staff without it, the page says which role it
 * is for. To anyone else, it does not exist.
 */
export async function requireAdmin(request: Request, role?: Role): Promise<SignedIn> {
  const known = await requireUser(request);
  // Its calls may need a second factor.
  api.onFailure = passGate;
  const { is_admin, roles } = known.user;
  if (!is_admin) throw data(null, { status: 404 });
  if (role !== undefined && !roles.includes(role)) throw data({ role }, { status: 403 });
  return known;
}

/** Shared, because several requests of a page may ask at once. */
let asked: Promise<boolean> | null = null;

/**
 * Handles a failed call on the pages of the office. If the call needs a second-factor code, asks
 * for it in a dialog over the page, which keeps what was typed, and resolves to whether the code
 * was right. If the user has no second factor, goes to the page that sets one up.
 */
async function passGate(error: ApiError): Promise<boolean> {
  const { body } = error.response ?? {};
  const code = textMember(body, 'code');
  if (code === 'factor_setup_required') {
    const { pathname, search } = window.location;
    window.location.assign(paths.admin('security', { redirect: asRedirect(pathname + search) }));
    // The page is about to unload.
    return new Promise(() => {});
  }
  if (code !== 'factor_required') return false;
  // Shown if the user closes the dialog.
  error.message = textMember(body, 'detail') ?? error.message;
  const { askForCode } = await import('./ask-for-code.tsx');
  asked ??= askForCode().finally(() => {
    asked = null;
  });
  return asked;
}
