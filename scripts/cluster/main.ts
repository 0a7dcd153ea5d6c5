/**
 * Tests several servers on one database with real processes on this machine: `npm run test:cluster
 * [PART…]`. It installs the Debian packages it needs as root, and prints one table.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installPackages } from '../debian.ts';
import { backup } from './backup.ts';
import { cleanStart } from './clean-start.ts';
import { container } from './container.ts';
import { failover } from './failover.ts';
import { ownWrites } from './own-writes.ts';
import { pooler } from './pooler.ts';
import { type Row, secondsSince, toTable } from './table.ts';

/** Each part uses ten ports. */
const PARTS: Record<string, (port: number) => Promise<Row[]>> = {
  'clean-start': cleanStart,
  'own-writes': ownWrites,
  pooler,
  failover,
  container,
  backup,
};
const FIRST_PORT = 21_000;
const PACKAGES = {
  postgresql: '/usr/lib/postgresql',
  pgbouncer: '/usr/sbin/pgbouncer',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  podman: '/usr/bin/podman',
  runc: '/usr/sbin/runc',
  mmdebstrap: '/usr/bin/mmdebstrap',
  caddy: '/usr/bin/caddy',
  pgbackrest: '/usr/bin/pgbackrest',
};

/** Where a package's service has another name. */
const SERVICES = new Map([['etcd-server', 'etcd']]);

const missing = () =>
  Object.entries(PACKAGES).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
const absent = missing();
if (absent.length > 0) {
  installPackages(...absent);
  // Debian starts what it installs. Here, each part starts its own.
  const services = absent.map((name) => SERVICES.get(name) ?? name);
  spawnSync('systemctl', ['disable', '--now', ...services], { stdio: 'ignore' });
}
if (missing().length > 0) {
  console.error(`The cluster test needs Debian's packages ${missing().join(', ')}.`);
  process.exit(1);
}
const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const [at, [name, run]] of Object.entries(PARTS).entries()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const began = performance.now();
  rows.push(...(await run(FIRST_PORT + 10 * at)));
  console.log(`${name}: ${secondsSince(began).toFixed(0)} s`);
}
console.log(toTable(rows));
if (rows.some(({ isMet }) => isMet === false)) process.exit(1);
