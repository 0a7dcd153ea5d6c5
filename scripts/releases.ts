interface Release {
  readonly release: string;
  /** The newest migration that it includes. */
  readonly lastMigration: string;
}

/**
 * Published releases, oldest first. Migrations after the last one must let it keep running
 * (scripts/migration-rules). Migrations before the first release are its baseline.
 */
export const RELEASES: readonly Release[] = [];
