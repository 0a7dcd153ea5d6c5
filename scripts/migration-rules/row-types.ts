import type { CreateFunctionStmt, Node } from '@pgsql/types';
import { lastName, partsOf } from './syntax.ts';

/** In a function's text, a row that is cast to a table's type: `row(a, b)::employer_years`. */
const CAST = /\)\s*::\s*(?:public\.)?(\w+)/g;

/**
 * Which functions build rows of which tables. They list the columns, so they fail once the table has
 * a new one, but only when they run.
 */
export class RowBuilders {
  readonly #types = new Map<string, ReadonlySet<string>>();

  /** Adds the functions that a migration creates or replaces. */
  add(statements: readonly Node[]): void {
    for (const [name, declared] of functionsIn(statements)) {
      this.#types.set(name, typesBuiltBy(declared));
    }
  }

  /** The functions that build rows of a table. */
  of(table: string): string[] {
    return [...this.#types].filter(([, types]) => types.has(table)).map(([name]) => name);
  }
}

/** The functions that a migration creates or replaces, by name. */
export const functionsIn = (statements: readonly Node[]): Map<string, CreateFunctionStmt> =>
  new Map(
    statements
      .flatMap((statement) =>
        'CreateFunctionStmt' in statement ? [statement.CreateFunctionStmt] : [],
      )
      .map((declared) => [lastName(declared.funcname), declared]),
  );

function typesBuiltBy({ returnType, options = [], sql_body }: CreateFunctionStmt): Set<string> {
  const texts = partsOf(options, 'String').map(({ sval = '' }) => sval);
  const types = texts.flatMap((text) => [...text.matchAll(CAST)].map(([, type = '']) => type));
  for (const { typeName } of partsOf(sql_body, 'TypeCast')) types.push(lastName(typeName?.names));
  // PL/pgSQL plans `select *` again after a change.
  if (texts.includes('sql')) types.push(lastName(returnType?.names));
  return new Set(types);
}
