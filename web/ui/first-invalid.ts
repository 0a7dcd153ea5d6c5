/** The first field with an error, or the first choice of a group with one. */
const INVALID = '[aria-invalid], fieldset[aria-describedby] input';

export const focusFirstInvalid = (form: HTMLFormElement) =>
  form.querySelector<HTMLElement>(INVALID)?.focus();
