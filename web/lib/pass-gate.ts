import { asRedirect, paths } from './paths.ts';
import { type ApiError, textMember } from './transport-error.ts';

/** Several requests of a page may ask at once. */
let asked: Promise<boolean> | null = null;

/**
 * What the pages of the office do about a failed call. If it needs a code of the second factor, asks
 * for one on top of the page, which keeps what was typed, and resolves to whether it was right.
 * Without a second factor, goes to where one is set up.
 */
export async function passGate(error: ApiError): Promise<boolean> {
  const { body } = error.response ?? {};
  const code = textMember(body, 'code');
  if (code === 'factor_setup_required') {
    const { pathname, search } = window.location;
    window.location.assign(paths.admin('security', { redirect: asRedirect(pathname + search) }));
    // The page is about to go.
    return new Promise(() => {});
  }
  if (code !== 'factor_required') return false;
  // Shown if the dialog is closed.
  error.message = textMember(body, 'detail') ?? error.message;
  const { askForCode } = await import('#web/features/office/factor/ask-for-code.tsx');
  asked ??= askForCode().finally(() => {
    asked = null;
  });
  return asked;
}
