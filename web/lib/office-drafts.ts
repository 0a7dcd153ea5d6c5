import { useEffect, useLayoutEffect, useRef } from 'react';
import { draftsOf } from './drafts.ts';
import { session, useSession } from './session.ts';
import { isRoomFor } from './storage-room.ts';
import { browserStorage } from './store.ts';

const OPEN_CASE = 'open';

type Fields = Readonly<Record<string, string>>;

/** Apart from the account's drafts of reviews. */
const drafts = (userId: string) => draftsOf<Fields>(browserStorage, `office:${userId}`, Date.now);

/**
 * Keeps what staff type in a form about a case, until it is sent or they sign out. It stays in this
 * browser. Spread `form` on the form; call `forget` once it is sent.
 */
export function useOfficeDraft(name: string | undefined) {
  const { user } = useSession();
  const ref = useRef<HTMLFormElement>(null);
  const userId = user?.id ?? null;

  useLayoutEffect(() => {
    if (userId === null || name === undefined) return;
    const kept = drafts(userId).find(name)?.values ?? {};
    for (const control of ref.current?.elements ?? []) {
      if (!isField(control) || control.value !== '') continue;
      control.value = kept[control.name] ?? control.value;
    }
  }, [name, userId]);

  return {
    form: {
      ref,
      onInput() {
        const form = ref.current;
        // Do not save after a sign-out in another tab.
        if (name === undefined || form === null) return;
        if (userId === null || session.owner() !== userId) return;
        const typed = Object.fromEntries(new FormData(form)) as Fields;
        isRoomFor(() => drafts(userId).save(name, typed));
      },
    },
    forget: () => name !== undefined && forgetOfficeDraft(name),
  };
}

export function forgetOfficeDraft(name: string): void {
  const owner = session.owner();
  if (owner !== null) drafts(owner).remove(name);
}

/** The same for a single text that React controls. */
export const keptText = (name: string): string => {
  const owner = session.owner();
  return (owner !== null && drafts(owner).find(name)?.values['text']) || '';
};
export function keepText(name: string, text: string): void {
  const owner = session.owner();
  if (owner !== null) isRoomFor(() => drafts(owner).save(name, { text }));
}

const isField = (control: Element): control is HTMLTextAreaElement | HTMLSelectElement =>
  control instanceof HTMLTextAreaElement ||
  control instanceof HTMLSelectElement ||
  (control instanceof HTMLInputElement && control.type === 'text');

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
