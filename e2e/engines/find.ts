import type { queries } from '@testing-library/dom';

/** Elements of a page: by role and accessible name, by their label, or by a text. */
export interface Target {
  readonly role?: string;
  readonly name?: string | RegExp;
  readonly label?: string;
  /** A part of the element's text. Without a role, the innermost element with it. */
  readonly text?: string;
  readonly selected?: boolean;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly inside?: Target;
}

type Named = (name: string | RegExp, inside?: Target) => Target;
const named =
  (role: string): Named =>
  (name, inside) => ({ role, name, ...(inside && { inside }) });

export const button = named('button');
export const link = named('link');
export const heading = named('heading');
export const option = named('option');
export const field = (label: string, inside?: Target): Target => ({
  label,
  ...(inside && { inside }),
});

/** Runs in the page, so that it can use nothing of this file. */
export function findInPage(target: Target, call: (found: HTMLElement[]) => unknown): unknown {
  const library: typeof queries | undefined = Reflect.get(globalThis, 'TestingLibraryDom');
  if (!library) return 'no library';
  const find = ({ role, label, text, inside, name, ...states }: Target): HTMLElement[] => {
    const hasText = ({ textContent }: Element) =>
      text === undefined || textContent.replace(/\s+/g, ' ').includes(text);
    const isInnermost = (element: Element) =>
      hasText(element) && ![...element.children].some(hasText);
    // A pattern comes as an object, because JSON has none.
    const pattern = typeof name === 'object' ? new RegExp(name.source) : name;
    return (inside ? find(inside) : [document.body])
      .flatMap((root) => {
        if (role) return library.queryAllByRole(root, role, { name: pattern, ...states } as object);
        if (label) return library.queryAllByLabelText(root, label);
        return [...root.querySelectorAll<HTMLElement>('*')].filter(isInnermost);
      })
      .filter((found) => hasText(found) && found.checkVisibility({ visibilityProperty: true }));
  };
  return call(find(target));
}
