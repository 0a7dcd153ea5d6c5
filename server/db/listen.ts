import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { TIME_OUTS } from '#server/time-outs.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** How often to check that the database still responds on the connection. */
const CHECK_MS = 10_000;

/**
 * Listens to a channel on its own connection from the pool, and reconnects when that is lost or goes
 * silent. Calls `onReconnect` each time, because notifications since `onLost` were missed.
 */
export async function listen(
  pool: pg.Pool,
  channel: string,
  onNotification: (payload: string) => void,
  onReconnect: () => void,
  onLost: () => void = () => {},
  checkMs = CHECK_MS,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  let hangUp: (() => void) | null = null;

  const connect = async () => {
    const client = await pool.connect();
    let held = true;
    let isListening = false;
    let check: NodeJS.Timeout | undefined;
    const drop = (error: Error | true) => {
      if (!held) return;
      held = false;
      hangUp = null;
      clearTimeout(check);
      client.removeAllListeners('notification');
      // Destroyed instead of released: its next user would otherwise still be listening.
      client.release(error);
    };
    const lose = (error: Error) => {
      if (!held) return;
      drop(error);
      onLost();
      if (isListening) void reconnect();
    };
    const ask = (text: string) =>
      client.query({ text, query_timeout: TIME_OUTS.notifications.ms } as pg.QueryConfig);
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    client.once('error', lose);
    try {
      await ask(`listen "${channel}"`);
    } catch (error) {
      drop(true);
      throw error;
    }
    if (closing.signal.aborted) return drop(true);
    isListening = true;
    hangUp = () => drop(true);
    const checkLater = () => {
      check = setTimeout(() => void ask('select').then(checkLater, lose), checkMs).unref();
    };
    checkLater();
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
