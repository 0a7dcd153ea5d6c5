import { setTimeout as pause } from 'node:timers/promises';
import { startCaddy } from './caddy.ts';
import type { ContainerServer } from './container-server.ts';
import type { Cluster } from './postgres.ts';
import { type Row, row } from './table.ts';

const CLIENTS = 4;
/** Longer than Caddy's health checks (`ops/Caddyfile`) take to mark a server healthy again. */
const CADDY_NOTICES_MS = 5000;

/** What a newer release would add. The servers still know nothing of it. */
const EXPAND = `alter table employers add column next text;
  insert into migrations values ('9999-next.sql', 'newer', '1.0.0')`;

/**
 * Restarts servers behind Caddy one at a time, under a stream of requests, with a migration of a
 * newer release in between. `primary` is their database server.
 */
export async function updateBehindCaddy(
  folder: string,
  port: number,
  servers: readonly ContainerServer[],
  primary: Pick<Cluster, 'psql'>,
): Promise<Row[]> {
  const upstreams = servers.map((server) => `127.0.0.1:${server.port}`);
  await using caddy = await startCaddy(folder, port, upstreams);
  const answers = new Map<number | string, number>();
  let ended = false;
  const client = async () => {
    for (let turn = 0; !ended; turn += 1) {
      const paths = ['/', '/api/employers/', `/api/employers/?search=x${turn}`];
      const answer = await caddy.get(paths[turn % paths.length] ?? '/');
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const rows: Row[] = [];
  for (const server of servers) {
    await pause(CADDY_NOTICES_MS);
    rows.push(await server.stop());
    if (server === servers[0]) primary.psql(EXPAND, 'curbside');
    await server.restart();
  }
  await pause(CADDY_NOTICES_MS);
  ended = true;
  await Promise.all(clients);
  const what = `responses over TLS while ${servers.length} containers behind Caddy are updated, with a migration in between`;
  const counts = [...answers].map(([answer, count]) => `${count} of ${answer}`).join(', ');
  const addresses = caddy.log().match(/"remote_(?:ip|addr)"/g)?.length ?? 0;
  return [
    ...rows,
    row(what, counts, 'only 200', answers.size === 1 && answers.has(200)),
    row("IP addresses in Caddy's log", addresses, 0),
  ];
}
