import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Finds a free port below 32768, or the first of several in a row. Systems use higher ports for outgoing
 * connections, which could take the port before the server listens.
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = 10_000 + Math.floor(Math.random() * 20_000);
    const ports = Array.from({ length: count }, (_, at) => first + at);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
