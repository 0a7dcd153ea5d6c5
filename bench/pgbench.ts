import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { SESSION } from '#server/db/open.ts';
import type { Statement } from './cold-app.ts';

/**
 * How many requests per second PostgreSQL alone can handle. Each client picks a request at random
 * and runs its statements, prepared, and planned with the server's settings.
 */
export async function pgbench(
  databaseUrl: string,
  requests: readonly (readonly Statement[])[],
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-bench-'));
  try {
    const scripts = await Promise.all(
      requests.map(async (statements, at) => {
        const { text, values } = scriptOf(statements, `r${at}`);
        const file = path.join(folder, `${at}.sql`);
        await writeFile(file, text);
        return ['-f', file, ...values.flatMap(([name, value]) => ['-D', `${name}=${value}`])];
      }),
    );
    const { stdout } = await promisify(execFile)(
      'pgbench',
      ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)].concat(
        scripts.flat(),
        databaseUrl,
      ),
      { env: { ...process.env, PGOPTIONS: SESSION.options.replaceAll(/\s+/g, ' ') } },
    );
    const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
    if (!tps) throw new Error(`pgbench printed: ${stdout}`);
    return Number(tps);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the statements as a pgbench script. pgbench turns the variables back into parameters. */
function scriptOf(statements: readonly Statement[], prefix: string) {
  const values: [name: string, value: string][] = [];
  const lines = statements.map(({ sql, parameters }, at) => {
    parameters.forEach((value, n) => {
      if (value !== null) values.push([`${prefix}_${at}_${n + 1}`, textOf(value)]);
    });
    // pgbench has no null variables.
    const named = sql.replaceAll(/\$(\d+)/g, (_, n) =>
      parameters[Number(n) - 1] === null ? 'null' : `:${prefix}_${at}_${n}`,
    );
    return `${named.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()};`;
  });
  return { text: `${lines.join('\n')}\n`, values };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(item)).join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}
