import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { inject, onTestFinished } from 'vitest';

export interface SilentProxy {
  readonly port: number;
  /** From now on, data is accepted but goes nowhere, as if the network were cut. */
  silence(): void;
  /** New connections work again. Silenced ones never do. */
  restore(): void;
}

/** Forwards connections to the test database until it is silenced. */
export async function silentProxy(): Promise<SilentProxy> {
  const { host, port } = inject('testServer').connection;
  const isSocket = String(host).startsWith('/');
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    if (isSilent) return void near.resume();
    const far = isSocket
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect(Number(port), String(host));
    sockets.add(far);
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().resume();
    },
    restore() {
      isSilent = false;
    },
  };
}
