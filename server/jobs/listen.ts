import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Hears a channel on a connection of the pool that it keeps for itself, and takes a new one when
 * that is lost. `onReconnect` is told each time, since what was sent since `onLost` was not heard.
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
      // Destroyed, not given back: the next to use it would go on hearing the channel.
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
        // The pool's own error handler has told; polling goes on meanwhile.
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
