import { useState } from 'react';
import { ApiError } from '#web/lib/transport-error.ts';

/** One request at a time, and why the last one failed. */
export function useRequest() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  async function run(work: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      setError(caught.message);
    }
    setBusy(false);
  }
  return { run, isBusy, error };
}
