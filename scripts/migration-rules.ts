import type { AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, Node } from '@pgsql/types';
import { parse } from 'libpg-query';
import { compareReleases, phaseOf } from '#server/db/phase.ts';
import type { RELEASES } from './releases.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Tables that no release has yet, so changing them cannot break one. */
type NewTables = Set<string>;

/**
 * Finds what a migration since the last release would break in that release while both run
 * (docs/operations.md, "Updating"). Returns one line per error. Does not check the bodies of
 * functions and triggers. Throws if PostgreSQL could not parse a migration.
 */
export async function breakingChanges(
  migrations: readonly Migration[],
  releases: typeof RELEASES,
): Promise<string[]> {
  const last = releases.at(-1);
  const created: NewTables = new Set();
  const lines: string[] = [];
  for (const { name, sql } of migrations) {
    const { stmts = [] } = await parse(sql);
    if (!last || name <= last.lastMigration) continue;
    const phase = phaseOf(sql);
    if (!phase) {
      lines.push(
        `${name}: must begin with "-- phase: expand" or "-- phase: contract after RELEASE"`,
      );
    } else if (phase.kind === 'contract') {
      lines.push(...contractErrors(phase.after, releases).map((error) => `${name}: ${error}`));
    } else {
      for (const { stmt = {} as Node } of stmts) {
        lines.push(...errorsOf(stmt, created).map((error) => `${name}: ${error}`));
      }
    }
  }
  return lines;
}

/** The release that stopped using what a migration removes must already be released. */
function contractErrors(after: string, releases: typeof RELEASES): string[] {
  if (releases.some(({ release }) => compareReleases(release, after) === 0)) return [];
  return [`contracts after ${after}, which is not released`];
}

/** Statements that only add, or change rows. */
const HARMLESS = [
  'CommentStmt',
  'CompositeTypeStmt',
  'CreateDomainStmt',
  'CreateEnumStmt',
  'CreateExtensionStmt',
  'CreateFunctionStmt',
  'CreateSchemaStmt',
  'CreateSeqStmt',
  'CreateStatsStmt',
  'CreateTrigStmt',
  'InsertStmt',
  'SelectStmt',
  'UpdateStmt',
  'ViewStmt',
];

function errorsOf(stmt: Node, created: NewTables): string[] {
  if ('CreateStmt' in stmt) {
    const { relation, tableElts = [] } = stmt.CreateStmt;
    created.add(relation?.relname ?? '');
    return tableElts.flatMap((element) => foreignKeyErrors(constraintsIn(element), created));
  }
  if ('CreateTableAsStmt' in stmt) {
    created.add(stmt.CreateTableAsStmt.into?.rel?.relname ?? '');
    return [];
  }
  if ('IndexStmt' in stmt) {
    const { unique, relation } = stmt.IndexStmt;
    const isTightened = unique && !created.has(relation?.relname ?? '');
    return isTightened ? [`adds a unique index to ${relation?.relname}`] : [];
  }
  if ('AlterTableStmt' in stmt) return alterErrors(stmt.AlterTableStmt, created);
  if ('AlterEnumStmt' in stmt) {
    return stmt.AlterEnumStmt.oldVal ? [`renames the value ${stmt.AlterEnumStmt.oldVal}`] : [];
  }
  if ('GrantStmt' in stmt && stmt.GrantStmt.is_grant) return [];
  if ('RenameStmt' in stmt && created.has(stmt.RenameStmt.relation?.relname ?? '')) return [];
  const [kind = ''] = Object.keys(stmt);
  return HARMLESS.includes(kind) ? [] : [`${wordsOf(kind)} may break the previous release`];
}

/** `DropStmt` as `drop`. */
const wordsOf = (kind: string) =>
  kind
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();

function alterErrors({ relation, cmds = [] }: AlterTableStmt, created: NewTables): string[] {
  const table = relation?.relname ?? '';
  return cmds.flatMap((node) => {
    if (!('AlterTableCmd' in node)) return [];
    const { subtype = '', name, def } = node.AlterTableCmd as AlterTableCmd;
    const constraints = def ? constraintsIn(def) : [];
    if (created.has(table)) return foreignKeyErrors(constraints, created);
    if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) {
      return columnErrors(def.ColumnDef, constraints, created).map(
        (error) => `${table}.${def.ColumnDef.colname}: ${error}`,
      );
    }
    if (subtype === 'AT_ColumnDefault' && def) return [];
    if (LOOSENING.includes(subtype)) return [];
    return [`alters ${[table, name].filter(Boolean).join('.')}: ${wordsOf(subtype.slice(3))}`];
  });
}

const LOOSENING = ['AT_DropNotNull', 'AT_SetStatistics', 'AT_SetRelOptions', 'AT_SetStorage'];

/** The previous release inserts rows without the new column. */
function columnErrors(
  { is_not_null }: ColumnDef,
  constraints: readonly Constraint[],
  created: NewTables,
): string[] {
  const kinds = new Set(constraints.map(({ contype }) => contype));
  const isFilled = ['CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY'].some((kind) =>
    kinds.has(kind as NonNullable<Constraint['contype']>),
  );
  const errors = foreignKeyErrors(constraints, created);
  const isNotNull = is_not_null || kinds.has('CONSTR_NOTNULL') || kinds.has('CONSTR_PRIMARY');
  if (isNotNull && !isFilled) errors.push('not null without a default');
  const isUnique = kinds.has('CONSTR_UNIQUE') || kinds.has('CONSTR_PRIMARY');
  const nullsCollide = constraints.some(({ nulls_not_distinct }) => nulls_not_distinct);
  if (isUnique && (isFilled || nullsCollide))
    errors.push('unique, with the same value in each row');
  return errors;
}

/** A new reference to an older table must not stop the previous release from deleting its rows. */
function foreignKeyErrors(constraints: readonly Constraint[], created: NewTables): string[] {
  return constraints
    .filter(({ contype }) => contype === 'CONSTR_FOREIGN')
    .filter(({ pktable }) => !created.has(pktable?.relname ?? ''))
    .filter(({ fk_del_action = 'a' }) => !['c', 'n', 'd'].includes(fk_del_action))
    .map(({ pktable }) => `references ${pktable?.relname} without on delete cascade or set null`);
}

/** The constraints of a column or a table element. */
function constraintsIn(node: Node): Constraint[] {
  if ('Constraint' in node) return [node.Constraint];
  if (!('ColumnDef' in node)) return [];
  return (node.ColumnDef.constraints ?? []).flatMap((inner) =>
    'Constraint' in inner ? [inner.Constraint] : [],
  );
}
