import type { ReviewField } from './review-values.ts';
import type { Failure } from './submit-failure.ts';

/** Scrolls to the field at fault, puts the focus in it, and selects what must go. */
export function focusFault(form: HTMLFormElement, { field, findings }: Failure): void {
  const control = field && controlOf(form, field);
  if (!(control instanceof HTMLElement)) return;
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: 'center' });
  const finding = findings?.[0];
  if (!finding || !isText(control)) return;
  // What is screened has no blanks around it.
  const blanks = control.value.length - control.value.trimStart().length;
  control.setSelectionRange(blanks + finding.start, blanks + finding.end);
}

/** The first star or answer stands for its group. */
function controlOf(form: HTMLFormElement, field: ReviewField) {
  const found = form.elements.namedItem(field);
  return found instanceof RadioNodeList ? found[0] : found;
}

const isText = (control: HTMLElement) =>
  control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement;
