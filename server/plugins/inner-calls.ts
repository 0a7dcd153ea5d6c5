import { AsyncLocalStorage } from 'node:async_hooks';

const inside = new AsyncLocalStorage<true>();

/** Makes a request that rendering a page needs. It does not count as an outside request. */
export const innerCall = <T>(call: () => PromiseLike<T>): Promise<T> =>
  // `inject` sends its request only when it is awaited.
  inside.run(true, async () => await call());

export const isInnerCall = (): boolean => inside.getStore() === true;
