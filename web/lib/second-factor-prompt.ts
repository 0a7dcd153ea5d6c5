import { asRedirect, paths } from './paths.ts';
import { type ApiError, textMember } from './transport-error.ts';

/** Shared, because several requests of a page may ask at once. */
let asked: Promise<boolean> | null = null;

/**
 * Handles a failed call on the pages of the office. If the call needs a second-factor code, asks
 * for it in a dialog over the page, which keeps what was typed, and resolves to whether the code
 * was right. If the user has no second factor, goes to the page that sets one up.
 */
export async function passGate(error: ApiError): Promise<boolean> {
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
  const { askForCode } = await import('#web/features/office/factor/ask-for-code.tsx');
  asked ??= askForCode().finally(() => {
    asked = null;
  });
  return asked;
}
