import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { DIRECTORY_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { asked, boundErrors, type DirectoryQuery } from './directory-query.ts';

interface FormState {
  /** What the fields show. */
  values: DirectoryQuery;
  /** The address that was last seen, and the one last asked for from here. */
  address: string;
  sent: string;
  /** When `values` are to be asked for, in milliseconds; null when they have been. */
  due: number | null;
  /** The last thing asked for was typed: what is typed next takes its place in the history. */
  isTyping: boolean;
}

/**
 * The fields of the directory, which its address mirrors: choices go there at once, what is typed
 * after a pause, and what Back or a link brings comes into the fields.
 */
export function useDirectoryForm(query: DirectoryQuery) {
  const navigate = useNavigate();
  const address = paths.employers(query);
  const [form, setForm] = useState<FormState>(() => arrived(query, address));

  if (form.address !== address) {
    // What was asked for from here is there: whoever goes on typing is not interrupted.
    setForm(address === form.sent ? { ...form, address } : arrived(query, address));
  }

  useEffect(() => {
    if (form.due === null) return;
    const timer = setTimeout(() => {
      const sent = paths.employers(asked(form.values));
      const isTyping = (form.due ?? 0) > 0;
      setForm({ ...form, sent, due: null, isTyping });
      if (sent !== form.address) void navigate(sent, { replace: isTyping && form.isTyping });
    }, form.due);
    return () => clearTimeout(timer);
  }, [form, navigate]);

  /** Numbers that cannot be met are told at their fields, and not asked for. */
  function set(part: DirectoryQuery, due: number) {
    const values = { ...form.values, ...part };
    const isValid = Object.keys(boundErrors(values)).length === 0;
    setForm({ ...form, values, due: isValid ? due : null });
  }

  return {
    values: form.values,
    errors: boundErrors(form.values),
    choose: (part: DirectoryQuery) => set(part, 0),
    type: (part: DirectoryQuery) => set(part, DIRECTORY_SEARCH_DEBOUNCE_MS),
    submit: () => set({}, 0),
    /** Another stretch of typing begins: it gets a place of its own in the history. */
    endTyping: () => form.isTyping && setForm({ ...form, isTyping: false }),
  };
}

const arrived = (values: DirectoryQuery, address: string): FormState => ({
  values,
  address,
  sent: address,
  due: null,
  isTyping: false,
});

export type DirectoryForm = ReturnType<typeof useDirectoryForm>;
