import { useEffect, useLayoutEffect, useRef } from 'react';
import { draftsOf } from './drafts.ts';
import { session, useSession } from './session.ts';
import { browserStorage, isRoomFor } from './store.ts';

const OPEN_CASE = 'open';

type Fields = Readonly<Record<string, string>>;

/** Apart from the account's drafts of reviews. */
const drafts = (userId: string) => draftsOf<Fields>(browserStorage, `form:${userId}`, Date.now);

/**
 * Keeps what is typed in a form, until `forget` is called or the user signs out. It stays in this
 * browser. Without a name, nothing is kept.
 */
export function useFormDraft(name: string | undefined, onRestore: () => void) {
  const { user } = useSession();
  const ref = useRef<HTMLFormElement>(null);
  const userId = user?.id ?? null;
  const known = useRef(new WeakSet<Element>());

  // After each render, because a choice that was kept may add a field.
  useLayoutEffect(() => {
    if (userId === null || name === undefined) return;
    const added = [...(ref.current?.elements ?? [])].filter((one) => !known.current.has(one));
    if (added.length === 0) return;
    const kept = drafts(userId).find(name)?.values ?? {};
    for (const control of added) {
      known.current.add(control);
      const value = isField(control) ? kept[control.name] : undefined;
      if (!isField(control) || value === undefined) continue;
      if (control.type === 'checkbox') (control as HTMLInputElement).checked = true;
      else if (takes(control, value)) control.value = value;
    }
    onRestore();
  });

  return {
    ref,
    save(typed: Fields) {
      // Not after a sign-out in another tab.
      if (name === undefined || userId === null || session.owner() !== userId) return;
      isRoomFor(() => drafts(userId).save(name, typed));
    },
    /** Once it has been sent. */
    forget() {
      if (name !== undefined && userId !== null) drafts(userId).remove(name);
    },
  };
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const isField = (control: Element): control is Field =>
  control instanceof HTMLTextAreaElement ||
  control instanceof HTMLSelectElement ||
  (control instanceof HTMLInputElement && ['text', 'date', 'checkbox'].includes(control.type));

/** Not what was typed before the session was known, nor a list without this option. */
const takes = (control: Field, value: string) =>
  control instanceof HTMLSelectElement
    ? [...control.options].some((option) => option.value === value)
    : control.value === control.defaultValue;

/** Remembers the open case, for the dashboard after an expired session or a crash. */
export function useOpenCase(): void {
  const { user } = useSession();
  const userId = user?.id;
  useEffect(() => {
    if (userId === undefined) return;
    const { pathname, search } = window.location;
    isRoomFor(() => drafts(userId).save(OPEN_CASE, { path: pathname + search }));
    return () => {
      // Still signed in: the case was left, not interrupted.
      if (session.owner() === userId) drafts(userId).remove(OPEN_CASE);
    };
  }, [userId]);
}

/** The case that was open when the session expired. */
export const interruptedCase = (userId: string): string | undefined =>
  drafts(userId).find(OPEN_CASE)?.values['path'];
