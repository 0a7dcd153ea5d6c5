import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../docs/markdown.ts';

const HOST = 'localhost';
const START_TRIES = 100;
/** Replaces public ACME certificates, because there is no public host name. */
const LOCAL = ['local_certs', 'skip_install_trust', 'auto_https disable_redirects'];

/** Runs `ops/Caddyfile` in front of servers, with certificates of Caddy's own authority. */
export async function startCaddy(folder: string, port: number, servers: readonly string[]) {
  const file = path.join(folder, 'caddy.log');
  const log = () => readFileSync(file, 'utf8');
  const out = openSync(file, 'w');
  const child = spawn('caddy', ['run', '--config', 'ops/Caddyfile', '--adapter', 'caddyfile'], {
    cwd: ROOT,
    stdio: ['ignore', out, out],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: folder,
      SITE_ADDRESS: HOST,
      CURBSIDE_SERVERS: servers.join(' '),
      CADDY_OPTIONS: [...LOCAL, `https_port ${port}`].join('\n'),
    },
  });
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  };
  const authority = path.join(folder, 'caddy/pki/authorities/local/root.crt');
  for (let tries = 0; !existsSync(authority) || !log().includes('serving initial'); tries += 1) {
    if (tries > START_TRIES) {
      await stop();
      throw new Error(`Caddy did not start: ${log()}`);
    }
    await pause(100);
  }
  const agent = new Agent({ keepAlive: true, ca: readFileSync(authority), servername: HOST });
  return {
    /** What Caddy has logged. */
    log,
    /** Sends a request over TLS. Returns the status, or the error if there is none. */
    get: (place: string) =>
      new Promise<number | string>((resolve) => {
        const options = { agent, host: '127.0.0.1', port, path: place, headers: { host: HOST } };
        const sent = request(options, (answer) => {
          answer.once('error', (error) => resolve(error.message));
          answer.once('end', () => resolve(answer.statusCode ?? 0));
          answer.resume();
        });
        sent.once('error', (error) => resolve(error.message)).end();
      }),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await stop();
    },
  };
}
