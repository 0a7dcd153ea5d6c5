import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import type { Criteria, Listing } from './criteria.ts';

interface ListFormOptions {
  /** How long to wait before a change goes to the URL, in milliseconds. */
  typingPauseMs?: number;
  choicePauseMs?: number;
  /** Every change replaces the history entry. Otherwise only continued typing does. */
  isReplacing?: boolean;
  /** Errors by field. Such a field does not go to the URL. */
  validate?: (values: Criteria) => Readonly<Record<string, string>>;
  onChange?: () => void;
  /** The state of the new history entries. */
  state?: unknown;
}

interface FormState {
  /** What the fields show. */
  values: Criteria;
  /** The URL that the fields were last filled from, and those this form is navigating to. */
  address: string;
  sent: readonly string[];
  /** A change that is not in the URL yet, and when it goes there. A new object restarts the timer. */
  due: { inMs: number } | null;
  /** The last change was typed: the next one replaces its history entry. */
  isTyping: boolean;
}

export type ListForm = ReturnType<typeof useListForm>;

/**
 * The fields of a list's form. The URL determines the list: a change of the form goes to the URL, and
 * a URL from a link or the Back button fills the form.
 */
export function useListForm(listing: Listing, criteria: Criteria, options: ListFormOptions = {}) {
  const { typingPauseMs = 0, choicePauseMs = 0, validate = allValid } = options;
  const navigate = useNavigate();
  const address = listing.path(criteria);
  const [stored, setForm] = useState<FormState>(() => filled(criteria, address));
  // Not stored while rendering: React may discard a render and continue from the state it left.
  const form = followed(stored, criteria, address);
  useLayoutEffect(() => {
    setForm((latest) => followed(latest, criteria, address));
  }, [criteria, address]);

  const errors = validate(form.values);
  const valid = Object.fromEntries(
    Object.entries(form.values).filter(([name]) => !(name in errors)),
  );

  const send = useEffectEvent(() => {
    const target = listing.path(listing.tidy(valid));
    const isNew = target !== form.address || form.sent.length > 0;
    const isTyping = form.due?.inMs !== 0;
    // A key may have been pressed since this was rendered: its own timer sends it.
    setForm((latest) => ({
      ...latest,
      sent: isNew ? [...latest.sent, target] : latest.sent,
      due: latest.due === form.due ? null : latest.due,
      isTyping,
    }));
    if (!isNew) return;
    const replace = options.isReplacing || (isTyping && form.isTyping);
    void navigate(target, { replace, state: options.state });
  });

  useEffect(() => {
    if (form.due === null) return;
    const timer = setTimeout(send, form.due.inMs);
    return () => clearTimeout(timer);
  }, [form.due]);

  // A change that is not in the URL yet would call back a reader who has followed a link.
  const { pathname } = useLocation();
  const isLeaving = (useNavigation().location?.pathname ?? pathname) !== pathname;
  useLayoutEffect(() => {
    if (isLeaving) setForm(withoutDue);
  }, [isLeaving]);

  function set(change: (values: Criteria) => Criteria, inMs: number) {
    setForm((latest) => ({ ...latest, values: change(latest.values), due: { inMs } }));
    options.onChange?.();
  }
  const merge = (change: Criteria) => (values: Criteria) => ({ ...values, ...change });

  return {
    listing,
    values: form.values,
    errors,
    choose: (change: Criteria) => set(merge(change), choicePauseMs),
    type: (change: Criteria) => set(merge(change), typingPauseMs),
    replace: (values: Criteria) => set(() => values, choicePauseMs),
    submit: () => setForm((latest) => (latest.due ? { ...latest, due: { inMs: 0 } } : latest)),
    /** Drops a change that is not in the URL yet, because the user opens another page. */
    leave: () => setForm(withoutDue),
    /** The next typing gets its own history entry. */
    endTyping: () =>
      setForm((latest) => (latest.isTyping ? { ...latest, isTyping: false } : latest)),
  };
}

const allValid = (): Readonly<Record<string, string>> => ({});

const withoutDue = (form: FormState): FormState => ({ ...form, due: null });

/** The form once the list has arrived at an address. */
function followed(form: FormState, criteria: Criteria, address: string): FormState {
  if (form.address === address) return form;
  const place = form.sent.indexOf(address);
  if (place < 0) return filled(criteria, address);
  // Our own navigation: do not interrupt a user who is still typing.
  return { ...form, address, sent: form.sent.slice(place + 1) };
}

const filled = (values: Criteria, address: string): FormState => ({
  values,
  address,
  sent: [],
  due: null,
  isTyping: false,
});
