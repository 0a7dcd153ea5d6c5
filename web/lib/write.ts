import { useEffect, useEffectEvent, useRef } from 'react';
import { data, type SubmitTarget, useFetcher } from 'react-router';
import { ApiError } from './transport-error.ts';

/** What a write gives: the API's answer, or the error for the screen to show. */
export type Outcome<T> = { ok: T } | { error: ApiError };

/** Makes a `clientAction`. After an error, the page keeps the data it has. */
export const writeAction =
  <Args, T>(write: (args: Args) => Promise<T>) =>
  async (args: Args) => {
    try {
      return { ok: await write(args) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return data({ error }, { status: error.status ?? 503 });
    }
  };

interface WriteOptions {
  /** The route whose `clientAction` writes. By default, the route of the component. */
  action?: string;
  /** False if nothing that the page has loaded changes. */
  defaultShouldRevalidate?: boolean;
}

/**
 * Sends JSON to a `clientAction`. A second click while it is busy sends nothing. `onOutcome` runs
 * once for each outcome, after the page has loaded its data again.
 */
export function useWrite<T>(
  onOutcome: (outcome: Outcome<T>) => void = () => {},
  options: WriteOptions = {},
) {
  const { state, data: result, submit } = useFetcher<Outcome<T>>();
  const outcome = state === 'idle' ? result : undefined;
  const isSending = useRef(false);
  const settle = useEffectEvent(onOutcome);

  useEffect(() => {
    if (!outcome || !isSending.current) return;
    isSending.current = false;
    settle(outcome);
  }, [outcome]);

  return {
    isBusy: state !== 'idle',
    /** Of the last write; undefined while one is busy. */
    outcome,
    async send(values: object): Promise<void> {
      if (isSending.current) return;
      isSending.current = true;
      const json = { method: 'POST', encType: 'application/json' } as const;
      await submit(values as SubmitTarget, { ...json, ...options });
    },
  };
}
