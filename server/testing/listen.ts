import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Lets a server listen to a free port until the end of the test. Returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Below the ports that systems give to connections, and to servers that ask for any. */
const LATER_PORTS = { first: 20_000, ofProcess: 20, processes: 500 };
let nextPort = LATER_PORTS.first + (process.pid % LATER_PORTS.processes) * LATER_PORTS.ofProcess;

/** The first of some free ports for servers that start later: nothing else gets them until then. */
export async function laterPort(count = 1): Promise<number> {
  for (;;) {
    const first = nextPort;
    nextPort += count;
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
