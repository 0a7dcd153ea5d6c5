import type { FieldValues, Resolver } from 'react-hook-form';

/** If the checks take longer to load, the form is sent without them. */
const WAIT_MS = 5000;
const tooLong = () => new Promise<null>((resolve) => setTimeout(resolve, WAIT_MS, null));

/**
 * Validates a form with a resolver that loads when the user enters the form, so that the page does
 * not wait for the schemas. If they fail to load, only the server validates the form.
 */
export function lazyChecks<Typed extends FieldValues, Checked>(
  load: () => Promise<Resolver<Typed, unknown, Checked>>,
) {
  const loadOrNull = () => Promise.race([load(), tooLong()]).catch(() => null);
  const resolver: Resolver<Typed, unknown, Checked> = async (typed, ...rest) => {
    const check = await loadOrNull();
    return check ? check(typed, ...rest) : { values: typed as FieldValues as Checked, errors: {} };
  };
  /** For `useForm`. Errors may arrive late, so `AccountForm` manages the focus. */
  const options = { resolver, shouldFocusError: false } as const;
  /** For the form's `onFocus`. */
  const preload = () => void loadOrNull();
  return { options, preload };
}
