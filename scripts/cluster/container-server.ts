import { setTimeout as pause } from 'node:timers/promises';
import type { Podman } from './podman.ts';
import { type Row, row, secondsSince } from './table.ts';

const START_TRIES = 600;
const USER = '10001';
/** As in `ops/compose.yaml`. */
const CONFINED = [
  '--read-only',
  '--tmpfs=/data',
  '--tmpfs=/tmp',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
];
const WRITE = `
  try {
    require('node:fs').writeFileSync('/curbside/x', '');
    console.log('written');
  } catch ({ code }) {
    console.log(code);
  }`;

/** A server in a container. */
export class ContainerServer {
  readonly port: number;
  readonly #podman: Podman;
  readonly #name: string;
  readonly #settings: string;

  /** `settings` is an environment file. */
  constructor(podman: Podman, port: number, settings: string) {
    this.port = port;
    this.#podman = podman;
    this.#name = `server-${port}`;
    this.#settings = settings;
  }

  /** Starts it, and waits until it is ready. */
  async start(image: string): Promise<void> {
    const own = [`--name=${this.#name}`, `--env-file=${this.#settings}`, `--env=PORT=${this.port}`];
    const { code, errors } = await this.#podman.start('--detach', ...own, ...CONFINED, image);
    if (code !== 0) throw new Error(errors);
    await this.#untilReady();
  }

  /** Starts it again after `stop`. */
  async restart(): Promise<void> {
    await this.#podman.run('start', this.#name);
    await this.#untilReady();
  }

  /** Checks what a confined container can and cannot do. */
  async check(): Promise<Row[]> {
    const paths = ['/', '/preview.png', '/api/employers/'];
    const statuses = await Promise.all(paths.map((each) => this.#status(each)));
    const health = await this.#podman.try('healthcheck', 'run', this.#name);
    const user = await this.#exec('id', '-u');
    const written = await this.#exec('node', '--eval', WRITE);
    const command = ['node', 'server/cli/main.ts', 'doctors', 'list'];
    const listed = await this.#podman.try('exec', this.#name, ...command);
    return [
      row(`statuses of ${paths.join(', ')}`, statuses.join(', '), '200, 200, 200'),
      row('exit code of its health check', health.code ?? '', 0),
      row('its user, and the error when it writes a file', `${user}, ${written}`, `${USER}, EROFS`),
      row('exit code of a command in the container', listed.code ?? '', 0),
    ];
  }

  /** Stops it as a service manager does. Returns the timing and the exit code. */
  async stop(): Promise<Row> {
    const began = performance.now();
    const stopped = this.#podman.run('stop', '--time=60', this.#name);
    let status = 200;
    while (status === 200) {
      status = await this.#status('/readyz');
      await pause(10);
    }
    const noticed = secondsSince(began);
    await stopped;
    const took = secondsSince(began);
    const code = await this.#podman.run('inspect', '--format={{.State.ExitCode}}', this.#name);
    return row(
      '/readyz of a container after SIGTERM, the time until it exits, and its exit code',
      `${status} after ${noticed.toFixed(1)} s, ${took.toFixed(1)} s, ${code}`,
      '503 immediately, 40 s, 0',
      status === 503 && code === '0' && took < 40,
    );
  }

  async #untilReady(): Promise<void> {
    for (let tries = 0; (await this.#status('/readyz')) !== 200; tries += 1) {
      if (tries > START_TRIES) {
        const { output, errors } = await this.#podman.try('logs', '--tail=20', this.#name);
        throw new Error(`a container did not start: ${output}\n${errors}`);
      }
      await pause(100);
    }
  }

  async #status(url: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.port}${url}`).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status ?? 0;
  }

  #exec(...command: string[]): Promise<string> {
    return this.#podman.run('exec', this.#name, ...command);
  }
}
