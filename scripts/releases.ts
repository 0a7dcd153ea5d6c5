interface Release {
  readonly release: string;
  /** The newest migration that it has. */
  readonly lastMigration: string;
}

/**
 * The releases that are out, oldest first. Migrations after the last one must let it keep running
 * (scripts/migration-rules.ts). The ones before the first release are its baseline.
 */
export const RELEASES: readonly Release[] = [];
