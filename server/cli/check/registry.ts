import type { Config } from '#server/config/config.ts';
import type { Connections } from '#server/db/open.ts';
import { httpNpiRegistry } from '#server/npi-registry/http.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { type Finding, reporter } from './result.ts';

/** The example from CMS for the check digit ("Requirements for NPI", 2004): assigned to nobody. */
const EXAMPLE_NPI = '1234567893';

/** Like the server, queries no outside service if a registry is imported. */
export async function* checkRegistry(
  { npiRegistryUrl, embedded }: Pick<Config, 'npiRegistryUrl' | 'embedded'>,
  { pool }: Pick<Connections, 'pool'>,
): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('registry');
  const imported = await importedOn(pool);
  if (imported !== null) {
    yield ok(`imported on ${imported}`);
    return;
  }
  const { host } = new URL(npiRegistryUrl);
  try {
    await httpNpiRegistry(npiRegistryUrl).lookUp(EXAMPLE_NPI);
    yield ok(`${host} answers`);
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    if (embedded) yield warn(`the sample registry does not respond: run npm start`);
    else
      yield fail(
        `${host} does not respond as expected: check NPI_REGISTRY_URL, or import the registry`,
      );
  }
}

/** The day of the newest imported file, as `YYYY-MM-DD`. */
async function importedOn(pool: Connections['pool']): Promise<string | null> {
  const { rows: tables } = await pool.query(
    "select where to_regclass('registry_files') is not null",
  );
  if (tables.length === 0) return null;
  const { rows } = await pool.query<{ day: string | null }>(
    'select max(imported_on)::text as day from registry_files',
  );
  return rows[0]?.day ?? null;
}
