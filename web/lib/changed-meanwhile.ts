import { useRevalidator } from 'react-router';
import { type ApiError, textMember } from './transport-error.ts';

/**
 * Whether the server rejected a decision because its subject has changed since the page loaded it.
 */
export const hasChanged = (error: ApiError | null): boolean =>
  textMember(error?.response?.body, 'code') === 'changed_meanwhile';

/**
 * Returns an `onError` for decisions, which reloads the data of the page and keeps what was typed.
 */
export function useReread(): (error: ApiError) => void {
  const { revalidate } = useRevalidator();
  return (error) => {
    if (hasChanged(error)) void revalidate();
  };
}
