import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in the server's page and while it is taken over; then true: for what needs the browser. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
