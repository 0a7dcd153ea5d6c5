import { useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { useSession } from '#web/lib/session.ts';

/** Reruns the current page's guard after a sign-out, here or in another tab. */
export function SessionEffects() {
  const { isAuthenticated } = useSession();
  const { revalidate } = useRevalidator();
  const was = useRef(isAuthenticated);

  useEffect(() => {
    if (was.current && !isAuthenticated) void revalidate();
    was.current = isAuthenticated;
  }, [isAuthenticated, revalidate]);

  return null;
}
