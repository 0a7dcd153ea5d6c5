/** The attribute of a text box with the number of characters at which typing ends. */
export const TYPING_LIMIT = 'data-typing-limit';

/**
 * Ends typing at the limit of a text box. Unlike with `maxlength`, pasted text stays whole, so that
 * its end is not lost unseen; the form then says that it is too long.
 */
export function limitTyping(root: Document): void {
  root.addEventListener('beforeinput', (event) => {
    const { target, inputType, data } = event;
    // A keyboard that inserts a whole word or number is not typing.
    if (inputType !== 'insertText' || data === null || [...data].length > 1) return;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const limit = Number(target.getAttribute(TYPING_LIMIT) ?? Number.POSITIVE_INFINITY);
    const replaced = (target.selectionEnd ?? 0) - (target.selectionStart ?? 0);
    if (target.value.length - replaced + data.length > limit) event.preventDefault();
  });
}
