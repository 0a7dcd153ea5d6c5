import { useSyncExternalStore } from 'react';

type Listener = () => void;

/** Values that outlive a component or belong to several; data of a page comes from its loader. */
export interface Store<T> {
  get(): T;
  /** Replaces the value and tells every listener. */
  set(value: T): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: Listener): () => void;
  /** What the server renders, and the browser until it has hydrated. */
  initial: T;
}

export type ReadonlyStore<T> = Omit<Store<T>, 'set'>;

// Not zustand: its 0.5 kB do not fit the landing page's script budget.
export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<Listener>();
  let value = initial;
  return {
    initial,
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Re-renders only when what `select` returns changes. */
export function useStore<T, S>(store: ReadonlyStore<T>, select: (value: T) => S): S {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.initial),
  );
}
