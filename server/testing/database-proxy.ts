import { connect, createServer, type Socket } from 'node:net';
import { inject, onTestFinished } from 'vitest';
import { listen } from './listen.ts';

export interface DatabaseProxy {
  readonly port: number;
  /** Data is accepted but goes nowhere, as if the network had failed. */
  silence(): void;
  /** All connections end, and new ones end immediately, as if the database had stopped. */
  cut(): void;
  /** New connections work again. Earlier ones never do. */
  restore(): void;
}

/** Forwards connections to the test database. */
export async function databaseProxy(): Promise<DatabaseProxy> {
  const { host, port } = inject('testServer').connection;
  const isSocket = String(host).startsWith('/');
  const sockets = new Set<Socket>();
  let state: 'open' | 'silent' | 'cut' = 'open';
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    sockets.add(near);
    near.on('error', () => near.destroy());
    if (state === 'silent') return void near.resume();
    const far = isSocket
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect(Number(port), String(host));
    sockets.add(far);
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const end = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(end);
  return {
    port: await listen(server),
    silence() {
      state = 'silent';
      for (const socket of sockets) socket.unpipe().resume();
    },
    cut() {
      state = 'cut';
      end();
    },
    restore() {
      state = 'open';
    },
  };
}
