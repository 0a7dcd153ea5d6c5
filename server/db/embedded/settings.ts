/** The superuser and only role. */
export const USER = 'curbside';
/** PostgreSQL names the socket file after its port, even without listening on one. */
export const PORT = 5432;
/** Distinguishes our servers from ones started manually. Visible in `ps`. */
export const CLUSTER_NAME = 'curbside';

/** Arguments of `initdb`. The built-in provider sorts and folds case the same on every machine. */
export function initdbArguments(folder: string, locale: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${USER}`,
    // Access is limited by the folder's mode.
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
}

/** Arguments of `postgres`. On the command line, so that each version uses its own settings. */
export function serverArguments(cluster: string, socketFolder: string): string[] {
  const settings = {
    cluster_name: CLUSTER_NAME,
    listen_addresses: '',
    port: PORT,
    // A list, so the path is quoted in case it contains a comma.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    // Sized for a laptop.
    shared_buffers: '128MB',
    effective_cache_size: '1GB',
    work_mem: '8MB',
    max_wal_size: '512MB',
    random_page_cost: 1.1,
    // There is no replication.
    wal_level: 'minimal',
    // Old log files are deleted. Renamed for later use, they would keep their bytes.
    wal_recycle: 'off',
    max_wal_senders: 0,
    max_logical_replication_workers: 0,
    // The package does not include LLVM.
    jit: 'off',
    // The log must contain no query text and no values. An ERROR message may quote a value, and its
    // DETAIL a row, so errors are not logged: `log` is the level above them.
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_min_error_statement: 'panic',
    log_min_duration_statement: -1,
    log_min_duration_sample: -1,
    log_duration: 'off',
    // Otherwise the log would grow while a server runs for months.
    log_checkpoints: 'off',
    log_autovacuum_min_duration: -1,
  };
  return [
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
