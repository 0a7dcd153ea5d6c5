import type pg from 'pg';
import { type Clock, toDay as dayOf } from '#server/anonymity/coarse-time.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { publish, type RegistrySize } from './publish.ts';
import { readLines, toDay } from './row.ts';
import { inRegistrySession } from './session.ts';
import { type Source, withSource } from './source.ts';
import { COLUMNS, copyInto, lineOf } from './staging.ts';

interface Options {
  readonly clock: Clock;
  onSkip(line: number, reason: string): void;
}

interface Summary {
  readonly rows: number;
  readonly skipped: number;
  readonly size: RegistrySize;
}

/** The list begins with a title and column names. */
const HEADING_LINES = 5;

/** The list covers all years, so numbers that were reactivated later are not changed. */
const ROWS = `with gone as (
    select listed.npi
    from (select npi, max(day) as day from deactivations group by npi) as listed
    left join registry_physicians as present using (npi)
    where present.npi is null or present.reactivated_on is null
      or present.reactivated_on < listed.day
  )
  select ${COLUMNS} from registry_physicians as present
  where not exists (select from gone where gone.npi = present.npi)
  union all
  select npi, true, ${'null, '.repeat(8)} '{}', ${'null, '.repeat(5)} null from gone
  order by npi`;

/**
 * Marks the numbers of a list (CSV: number, day) as deactivated, in one transaction.
 * @throws OperatorError if the list cannot be used
 */
export function importDeactivations(
  pool: pg.Pool,
  path: string,
  options: Options,
): Promise<Summary> {
  return withSource(path, (source) =>
    inRegistrySession(pool, (client) => importList(client, path, source, options)),
  );
}

async function importList(
  client: pg.PoolClient,
  path: string,
  source: Source,
  { clock, onSkip }: Options,
): Promise<Summary> {
  const { rows: files } = await client.query('select from registry_files limit 1');
  if (files.length === 0) {
    throw new OperatorError('there is no registry to update: import the full monthly file first');
  }
  const read = { lines: 0, skipped: 0, rows: 0 };
  async function* texts(): AsyncGenerator<string> {
    for await (const lines of readLines(source.read())) {
      let text = '';
      for (const line of lines) {
        read.lines += 1;
        const entry = entryOf(line.text);
        if (entry) {
          text += lineOf(entry);
          read.rows += 1;
        } else if (line.text !== '' && read.lines > HEADING_LINES) {
          read.skipped += 1;
          onSkip(read.lines, 'it is not a number and a day');
        }
      }
      if (text !== '') yield text;
    }
  }
  await client.query('create temp table deactivations (npi bigint not null, day date not null)');
  await copyInto(client, 'deactivations (npi, day)', texts());
  const { rows, skipped } = read;
  if (rows === 0) throw new OperatorError(`${path} has no row with a number and a day`);
  const importedOn = dayOf(clock());
  const size = await publish(client, {
    rows: ROWS,
    file: { name: source.name, kind: 'deactivations', asOf: null, importedOn, ...read },
    replacesAll: false,
    check: () => {},
  });
  return { rows, skipped, size };
}

function entryOf(line: string): [npi: string, day: string] | null {
  const [npi = '', date = ''] = line.replaceAll('"', '').split(/[,;\t]/);
  const day = toDay(date.trim());
  return /^[12]\d{9}$/.test(npi.trim()) && day ? [npi.trim(), day] : null;
}
