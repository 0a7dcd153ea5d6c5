import type { FieldValues, Resolver } from 'react-hook-form';

/** The form is sent without checks that take longer to load. */
const WAIT_MS = 5000;
const tooLong = () => new Promise<null>((resolve) => setTimeout(resolve, WAIT_MS, null));

/**
 * Checks a form by a resolver that is loaded when the user enters the form, so the page appears
 * without the schemas. If they cannot be loaded, only the server checks the form.
 */
export function lazyChecks<Typed extends FieldValues, Checked>(
  load: () => Promise<Resolver<Typed, unknown, Checked>>,
) {
  const loadOrNull = () => Promise.race([load(), tooLong()]).catch(() => null);
  const resolver: Resolver<Typed, unknown, Checked> = async (typed, ...rest) => {
    const check = await loadOrNull();
    return check ? check(typed, ...rest) : { values: typed as FieldValues as Checked, errors: {} };
  };
  /** For `useForm`. Errors may come late, so `AccountForm` decides about the focus. */
  const options = { resolver, shouldFocusError: false } as const;
  /** For the form's `onFocus`. */
  const preload = () => void loadOrNull();
  return { options, preload };
}
