import { useEffect, useEffectEvent, useRef } from 'react';
import { type ClientActionFunctionArgs, data, type SubmitTarget, useFetcher } from 'react-router';
import type { Answer, Endpoint, Input } from '#contract/endpoint.ts';
import { api } from './session.ts';
import { ApiError } from './transport-error.ts';

type Outcome<T> = { ok: T } | { error: ApiError };

type Write = (input: never) => Promise<unknown>;
type Writes = Readonly<Record<string, Write>>;
type Name<W> = keyof W & string;

interface PageWrites<W extends Writes> {
  writes: W;
  clientAction: (args: ClientActionFunctionArgs) => Promise<unknown>;
  /** The writes after which the page reloads its data. All, if omitted. */
  revalidates: readonly Name<W>[] | undefined;
}

/** Those that have succeeded, until `send` has said so, perhaps to a form that has gone away. */
const succeeded = new Set<number>();
let count = 0;

/** The writes of a page, by name: its `clientAction` runs them, and `useWrite` calls them. */
export function pageWrites<W extends Writes>(
  writes: W,
  { revalidates }: { revalidates?: readonly NoInfer<Name<W>>[] } = {},
): PageWrites<W> {
  return {
    writes,
    revalidates,
    async clientAction({ request }) {
      // `useWrite` has checked the types.
      const { name, input, id }: { name: Name<W>; input: never; id: number } = await request.json();
      try {
        const ok = await (writes[name] as Write)(input);
        succeeded.add(id);
        return { ok };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // With an error status, the page keeps the data it has.
        return data({ error }, { status: error.status ?? 503 });
      }
    },
  };
}

/** A write that calls one endpoint. `onDone` runs before the page reloads its data. */
export const call =
  <E extends Endpoint>(endpoint: E, onDone?: (answer: Answer<E>) => unknown) =>
  async (input: Input<E>): Promise<Answer<E>> => {
    const answer = (await api.call<Endpoint>(endpoint, input as never)) as Answer<E>;
    await onDone?.(answer);
    return answer;
  };

interface WriteOptions<T> {
  /** For each write, one of the two runs once, after the page has reloaded its data. */
  onDone?: (answer: T) => void;
  onError?: (error: ApiError) => void;
}

/**
 * Sends JSON to the `clientAction` of the component's own route, whose code is loaded already. A
 * second click while it is busy sends nothing.
 */
export function useWrite<W extends Writes, N extends Name<W>>(
  { revalidates }: PageWrites<W>,
  name: N,
  { onDone, onError }: WriteOptions<Awaited<ReturnType<W[N]>>> = {},
) {
  const { state, data: result, submit } = useFetcher<Outcome<Awaited<ReturnType<W[N]>>>>();
  const outcome = state === 'idle' ? result : undefined;
  const isSending = useRef(false);
  const settle = useEffectEvent((settled: NonNullable<typeof outcome>) => {
    if ('ok' in settled) onDone?.(settled.ok);
    else onError?.(settled.error);
  });

  useEffect(() => {
    if (!outcome || !isSending.current) return;
    isSending.current = false;
    settle(outcome);
  }, [outcome]);

  return {
    isBusy: state !== 'idle',
    /** Whether the last write succeeded. False while the next one runs. */
    isDone: outcome !== undefined && 'ok' in outcome,
    error: outcome && 'error' in outcome ? outcome.error : null,
    /** Resolves to whether it succeeded. */
    async send(input: Parameters<W[N]>[0]): Promise<boolean> {
      if (isSending.current) return false;
      isSending.current = true;
      count += 1;
      const id = count;
      await submit({ name, input, id } as SubmitTarget, {
        method: 'POST',
        encType: 'application/json',
        // Never `true`, because the page would then reload its data even after an error.
        ...(revalidates?.includes(name) === false && { defaultShouldRevalidate: false }),
      });
      return succeeded.delete(id);
    },
  };
}
