import { useRevalidator } from 'react-router';
import { type ApiError, textMember } from './transport-error.ts';

/** Whether a decision was refused because what it is about has changed since it was read. */
export const hasChanged = (error: ApiError | null): boolean =>
  textMember(error?.response?.body, 'code') === 'changed_meanwhile';

/** For `onError` of a decision: the page loads its data again, and what was typed stays. */
export function useReread(): (error: ApiError) => void {
  const { revalidate } = useRevalidator();
  return (error) => {
    if (hasChanged(error)) void revalidate();
  };
}
