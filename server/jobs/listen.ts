import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Listens to a channel on its own connection from the pool, and reconnects when that is lost. Calls
 * `onReconnect` each time, because notifications since `onLost` were missed.
 */
export async function listen(
  pool: pg.Pool,
  channel: string,
  onNotification: (payload: string) => void,
  onReconnect: () => void,
  onLost: () => void = () => {},
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  let hangUp: (() => void) | null = null;

  const connect = async () => {
    const client = await pool.connect();
    let held = true;
    const drop = (error: Error | true) => {
      if (!held) return;
      held = false;
      hangUp = null;
      client.removeAllListeners('notification');
      // Destroyed instead of released: its next user would otherwise still be listening.
      client.release(error);
    };
    let heard = false;
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    client.once('error', (error) => {
      drop(error);
      onLost();
      if (heard) void reconnect();
    });
    try {
      await client.query(`listen "${channel}"`);
    } catch (error) {
      drop(true);
      throw error;
    }
    if (closing.signal.aborted) return drop(true);
    heard = true;
    hangUp = () => drop(true);
    onReconnect();
  };

  const reconnect = async () => {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        await pause(wait, undefined, { signal: closing.signal, ref: false });
        return await connect();
      } catch {
        // The pool's own error handler has logged it, and polling continues meanwhile.
        if (closing.signal.aborted) return;
      }
    }
  };

  await connect();
  return {
    async close() {
      closing.abort();
      hangUp?.();
    },
  };
}
