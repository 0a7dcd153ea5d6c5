import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = path.resolve(import.meta.dirname, '../..');
const HOST = 'localhost';
const START_TRIES = 100;
/** Replaces public ACME certificates, because there is no public host name. */
const LOCAL = ['local_certs', 'skip_install_trust', 'auto_https disable_redirects'];

interface Caddy extends AsyncDisposable {
  /** Sends a request over TLS. Returns the status, or the error if there is none. */
  get(path: string): Promise<number | string>;
  /** What Caddy has logged. */
  log(): string;
}

/** Runs `ops/Caddyfile` in front of servers, with certificates of Caddy's own authority. */
export async function startCaddy(
  folder: string,
  port: number,
  servers: readonly string[],
): Promise<Caddy> {
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
  closeSync(out);
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
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
  const get = (url: string) =>
    new Promise<number | string>((resolve) => {
      const options = { agent, host: '127.0.0.1', port, path: url, headers: { host: HOST } };
      const sent = request(options, (answer) => {
        answer.once('error', (error) => resolve(error.message));
        answer.once('end', () => resolve(answer.statusCode ?? 0));
        answer.resume();
      });
      sent.once('error', (error) => resolve(error.message)).end();
    });
  return {
    get,
    log,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await stop();
    },
  };
}
