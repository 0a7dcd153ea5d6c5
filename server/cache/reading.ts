import { AsyncLocalStorage } from 'node:async_hooks';

interface Reading {
  /** This server has not yet heard of everything that the caller has written. */
  readonly isBehind: boolean;
}

const reading = new AsyncLocalStorage<Reading>();

/** Runs the rest of a request, which then knows what it has to see. */
export const readingWith = (what: Reading, run: () => void): void => reading.run(what, run);

/** Whether the request that is being answered must not see what is cached. */
export const mustReadFresh = (): boolean => reading.getStore()?.isBehind === true;

/** Binds work that runs later, after that of other requests, to the request that wants it. */
export const inThisRequest: <T>(work: () => T) => () => T = (work) => AsyncLocalStorage.bind(work);
