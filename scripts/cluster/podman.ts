import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../docs/markdown.ts';

/**
 * Lets podman start a container inside another one: limits below
 * those of the outer one, because raising them takes CAP_SYS_RESOURCE, and its network.
 */
const NESTED = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096', '--network=host'];

interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Podman with its own storage folder. */
export class Podman {
  readonly #global: readonly string[];

  constructor(folder: string) {
    this.#global = [
      `--root=${path.join(folder, 'storage')}`,
      `--runroot=${path.join(folder, 'run')}`,
      `--tmpdir=${path.join(folder, 'tmp')}`,
      '--storage-driver=overlay',
      // crun fails on the mixed control groups of some outer containers.
      '--runtime=runc',
      '--cgroup-manager=cgroupfs',
      '--events-backend=file',
    ];
  }

  /** Runs podman. Returns its exit code and what it printed. */
  async try(...args: string[]): Promise<Ran> {
    const child = spawn('podman', [...this.#global, ...args], { cwd: ROOT });
    child.stdin.end();
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, output: output.trim(), errors: errors.trim() };
  }

  /** Returns what podman printed. Throws if it fails. */
  async run(...args: string[]): Promise<string> {
    const { code, output, errors } = await this.try(...args);
    if (code !== 0) throw new Error(`podman ${args.join(' ')}: ${errors.slice(-2000)}`);
    return output;
  }

  /** Builds an image. The Docker format supports health checks; the OCI format does not. */
  build(...args: string[]): Promise<string> {
    return this.run('build', '--isolation=chroot', '--network=host', '--format=docker', ...args);
  }

  start(...args: string[]): Promise<Ran> {
    return this.try('run', ...NESTED, ...args);
  }
}
