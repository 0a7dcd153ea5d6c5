import { AsyncLocalStorage } from 'node:async_hooks';
import type { Position } from '#server/db/replicas.ts';

interface Reading {
  /** Of the caller's last write. */
  readonly position: Position;
  /** This server has not yet heard of everything that the caller has written. */
  readonly isBehind: boolean;
}

const reading = new AsyncLocalStorage<Reading>();

/** Runs the rest of a request, which then knows what it has to see. */
export const readingWith = (what: Reading, run: () => void): void => reading.run(what, run);

/** What the request that is being answered has to see at least. */
export const positionToSee = (): Position => reading.getStore()?.position ?? 0;

/** Whether the request that is being answered must not see what is cached. */
export const mustReadFresh = (): boolean => reading.getStore()?.isBehind === true;

/** Binds work that runs later, after that of other requests, to the request that wants it. */
export const inThisRequest: <T>(work: () => T) => () => T = (work) => AsyncLocalStorage.bind(work);
