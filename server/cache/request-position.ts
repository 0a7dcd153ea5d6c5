import { AsyncLocalStorage } from 'node:async_hooks';
import type { Position } from '#server/db/replicas.ts';

interface Reading {
  /** The position of the caller's last write. */
  readonly position: Position;
  /** This server has not yet been notified of everything that the caller has written. */
  readonly isBehind: boolean;
}

const reading = new AsyncLocalStorage<Reading>();

/** Runs the rest of a request with the position it must see. */
export const readingWith = (what: Reading, run: () => void): void => reading.run(what, run);

/** The position that the current request must see at least. */
export const positionToSee = (): Position => reading.getStore()?.position ?? 0;

/** Whether the current request must bypass the caches. */
export const mustReadFresh = (): boolean => reading.getStore()?.isBehind === true;

/** Binds work that runs later, among other requests' work, to the current request. */
export const inThisRequest: <T>(work: () => T) => () => T = (work) => AsyncLocalStorage.bind(work);
