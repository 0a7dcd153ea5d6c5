import { data } from 'react-router';
import { ApiError } from '#web/lib/transport-error.ts';

/** For what a URL names: the page does not exist if the API does not know it, or its id is malformed. */
export async function orNotFound<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const isUnknown = error instanceof ApiError && [400, 404].includes(error.status ?? 0);
    throw isUnknown ? data(null, { status: 404 }) : error;
  }
}
