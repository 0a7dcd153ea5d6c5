import { Agent, createServer, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';

const CHECK_INTERVAL_MS = 50;

export interface Balancer {
  readonly url: string;
  /** Adds a server. It gets requests once it is ready. */
  add(server: string): void;
  /** How many requests a server has responded to. */
  answeredBy(server: string): number;
}

/**
 * Distributes requests over the servers whose last `/readyz` was 200, on kept connections. Never
 * sends a request twice: one that a server does not respond to becomes a 502.
 */
export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const servers = new Map<string, { isReady: boolean; answered: number }>();
  const end = new AbortController();
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const ready = [...servers].filter(([, { isReady }]) => isReady);
    const [url, counts] = ready[turn++ % ready.length] ?? [];
    if (!url || !counts) {
      outgoing.writeHead(503).end();
      return;
    }
    const { method, headers } = incoming;
    const forwarded = request(new URL(incoming.url ?? '', url), { agent, method, headers });
    forwarded.once('response', (answer) => {
      counts.answered += 1;
      outgoing.writeHead(answer.statusCode ?? 502);
      answer.once('error', () => outgoing.destroy()).pipe(outgoing);
    });
    forwarded.once('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  const check = async () => {
    while (!end.signal.aborted) {
      for (const [url, state] of servers) {
        state.isReady = await fetch(new URL('/readyz', url)).then(
          ({ ok }) => ok,
          () => false,
        );
      }
      await pause(CHECK_INTERVAL_MS);
    }
  };
  const port = await listen(proxy);
  const checked = check();
  onTestFinished(async () => {
    end.abort();
    await checked;
    agent.destroy();
    proxy.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    add: (server) => void servers.set(server, { isReady: false, answered: 0 }),
    answeredBy: (server) => servers.get(server)?.answered ?? 0,
  };
}
