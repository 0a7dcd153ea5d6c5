import type { AlterTableCmd, AlterTableStmt, Node, RangeVar } from '@pgsql/types';
import { columnErrors, constraintsIn, foreignKeyErrors } from './constraints.ts';
import type { RowBuilders } from './row-types.ts';
import { isNull, lastName, type NewTables, partsOf } from './syntax.ts';

/** The context of a statement. */
export interface Context {
  readonly created: NewTables;
  readonly builders: RowBuilders;
  /** The functions that the same migration creates or replaces. */
  readonly functions: { has(name: string): boolean };
  /** The names in the migration's lines `-- accepts NAME: REASON`. */
  readonly accepted: ReadonlySet<string>;
}

/** Statements that only add something, or change rows. */
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
  'InsertStmt',
  'SelectStmt',
  'UpdateStmt',
  'ViewStmt',
];

/** What a statement of an expanding migration would break. */
export function errorsOf(stmt: Node, context: Context): string[] {
  const { created } = context;
  if ('CreateStmt' in stmt) {
    const { relation, tableElts = [], if_not_exists } = stmt.CreateStmt;
    return [
      ...newTableErrors(relation, if_not_exists, created),
      ...tableElts.flatMap((element) => foreignKeyErrors(constraintsIn(element), created)),
    ];
  }
  if ('CreateTableAsStmt' in stmt) {
    const { into, if_not_exists } = stmt.CreateTableAsStmt;
    return [...newTableErrors(into?.rel, if_not_exists, created), ...rowErrors(stmt)];
  }
  if ('AlterTableStmt' in stmt) return alterErrors(stmt.AlterTableStmt, context);
  if ('AlterEnumStmt' in stmt) {
    return stmt.AlterEnumStmt.oldVal ? [`renames the value ${stmt.AlterEnumStmt.oldVal}`] : [];
  }
  if ('IndexStmt' in stmt || 'CreateTrigStmt' in stmt) return attachmentErrors(stmt, context);
  if ('GrantStmt' in stmt && stmt.GrantStmt.is_grant) return [];
  if ('RenameStmt' in stmt && created.has(stmt.RenameStmt.relation)) return [];
  const [kind = ''] = Object.keys(stmt);
  if (!HARMLESS.includes(kind)) return [`${wordsOf(kind)} may break the previous release`];
  return [...replacementErrors(stmt, context), ...rowErrors(stmt)];
}

/** `DropStmt` as `drop`. */
const wordsOf = (kind: string) =>
  kind
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();

function newTableErrors(table: RangeVar | undefined, mayExist: unknown, created: NewTables) {
  if (mayExist) return [`creates ${table?.relname} only if it does not exist`];
  if (table?.relpersistence === 't') return [`creates the temporary table ${table.relname}`];
  created.add(table);
  return [];
}

/** Building an index blocks writers, and a trigger may reject what the previous release writes. */
function attachmentErrors(stmt: Node, { created, accepted }: Context): string[] {
  if ('IndexStmt' in stmt) {
    const { unique, relation, idxname = '' } = stmt.IndexStmt;
    if (created.has(relation)) return [];
    if (unique) return [`adds a unique index to ${relation?.relname}`];
    return accepted.has(idxname) ? [] : [`adds an index to ${relation?.relname}${UNLESS}`];
  }
  if (!('CreateTrigStmt' in stmt)) return [];
  const { relation, trigname = '' } = stmt.CreateTrigStmt;
  if (created.has(relation) || accepted.has(trigname)) return [];
  return [`adds a trigger to ${relation?.relname}${UNLESS}`];
}

const UNLESS = ' without "-- accepts NAME: REASON"';

/** Only a person can judge whether a new body still does what the previous release needs. */
function replacementErrors(stmt: Node, { accepted }: Context): string[] {
  const names: (string | undefined)[] = [];
  if ('CreateFunctionStmt' in stmt && stmt.CreateFunctionStmt.replace) {
    names.push(lastName(stmt.CreateFunctionStmt.funcname));
  }
  if ('ViewStmt' in stmt && stmt.ViewStmt.replace) names.push(stmt.ViewStmt.view?.relname);
  return names
    .filter((name = '') => !accepted.has(name))
    .map((name) => `replaces ${name}${UNLESS}`);
}

/** The errors of a query and its common table expressions. */
function rowErrors(stmt: Node): string[] {
  // A function's body runs later.
  if ('CreateFunctionStmt' in stmt) return [];
  const errors: string[] = [];
  if (partsOf(stmt, 'DeleteStmt').length > 0) errors.push('delete may break the previous release');
  if (partsOf(stmt, 'MergeStmt').length > 0) errors.push('merge may break the previous release');
  const writes = [...partsOf(stmt, 'InsertStmt'), ...partsOf(stmt, 'UpdateStmt')];
  if (writes.some(({ relation }) => relation?.relname === 'migrations')) {
    errors.push('writes to migrations');
  }
  return errors;
}

function alterErrors({ relation, cmds = [] }: AlterTableStmt, context: Context): string[] {
  const table = relation?.relname ?? '';
  return cmds
    .flatMap((node) => ('AlterTableCmd' in node ? [node.AlterTableCmd as AlterTableCmd] : []))
    .flatMap(({ subtype = '', name, def, missing_ok }) => {
      const isAdded = subtype === 'AT_AddColumn' && def && 'ColumnDef' in def;
      const column = isAdded ? def.ColumnDef : null;
      const errors = column ? builderErrors(table, context) : [];
      if (column && missing_ok) errors.push('added only if it does not exist');
      if (context.created.has(relation)) {
        errors.push(...foreignKeyErrors(def ? constraintsIn(def) : [], context.created));
      } else if (column) {
        errors.push(...columnErrors(column, context.created));
      } else if (!isLoosening(subtype, def)) {
        return [`alters ${[table, name].filter(Boolean).join('.')}: ${wordsOf(subtype.slice(3))}`];
      }
      return errors.map((error) => `${table}.${column?.colname ?? name}: ${error}`);
    });
}

const builderErrors = (table: string, { builders, functions }: Context): string[] =>
  builders
    .of(table)
    .filter((name) => !functions.has(name))
    .map((name) => `${name} builds rows of ${table}, but is not replaced`);

const LOOSENING = ['AT_DropNotNull', 'AT_SetStatistics', 'AT_SetRelOptions', 'AT_SetStorage'];

const isLoosening = (subtype: string, def: Node | undefined) =>
  LOOSENING.includes(subtype) || (subtype === 'AT_ColumnDefault' && def && !isNull(def));
