import type { ColumnDef, Constraint, Node } from '@pgsql/types';
import { isNull, type NewTables, partsOf } from './syntax.ts';

/** The errors of a new column: the previous release inserts rows without it. */
export function columnErrors(column: ColumnDef, created: NewTables): string[] {
  const constraints = constraintsIn({ ColumnDef: column });
  const kinds = new Set(constraints.map(({ contype }) => contype));
  const isFilled = constraints.some(fills);
  const errors = foreignKeyErrors(constraints, created);
  const isNotNull =
    column.is_not_null || kinds.has('CONSTR_NOTNULL') || kinds.has('CONSTR_PRIMARY');
  if (isNotNull && !isFilled) errors.push('not null without a default');
  const isUnique = kinds.has('CONSTR_UNIQUE') || kinds.has('CONSTR_PRIMARY');
  const nullsCollide = constraints.some(({ nulls_not_distinct }) => nulls_not_distinct);
  if (isUnique && (isFilled || nullsCollide)) {
    errors.push('unique, with the same value in each row');
  }
  const checks = constraints.filter(({ contype }) => contype === 'CONSTR_CHECK');
  return [...errors, ...checks.flatMap(({ raw_expr }) => checkErrors(raw_expr, column.colname))];
}

const fills = ({ contype, raw_expr }: Constraint) =>
  contype === 'CONSTR_GENERATED' ||
  contype === 'CONSTR_IDENTITY' ||
  (contype === 'CONSTR_DEFAULT' && raw_expr !== undefined && !isNull(raw_expr));

/** A check accepts the previous release's rows if it is null for a null column. */
function checkErrors(check: Node | undefined, column: string | undefined): string[] {
  const columns = partsOf(check, 'ColumnRef').map(({ fields }) => partsOf(fields, 'String').at(-1));
  if (columns.length === 0 || columns.some((one) => one?.sval !== column)) {
    return ['checks more than the new column'];
  }
  const rejectsNull =
    partsOf(check, 'NullTest').some(({ nulltesttype }) => nulltesttype === 'IS_NOT_NULL') ||
    partsOf(check, 'A_Expr').some(({ kind }) => kind?.endsWith('DISTINCT')) ||
    partsOf(check, 'BooleanTest').length > 0 ||
    partsOf(check, 'CoalesceExpr').length > 0;
  return rejectsNull ? ['has a check that may reject null'] : [];
}

/** A new reference to an older table must not stop the previous release from deleting its rows. */
export function foreignKeyErrors(constraints: readonly Constraint[], created: NewTables): string[] {
  return constraints
    .filter(({ contype }) => contype === 'CONSTR_FOREIGN')
    .filter(({ pktable }) => !created.has(pktable))
    .filter(({ fk_del_action = 'a' }) => !['c', 'n', 'd'].includes(fk_del_action))
    .map(({ pktable }) => `references ${pktable?.relname} without on delete cascade or set null`);
}

/** The constraints of a column or a table element. */
export function constraintsIn(node: Node): Constraint[] {
  if ('Constraint' in node) return [node.Constraint];
  if (!('ColumnDef' in node)) return [];
  return (node.ColumnDef.constraints ?? []).flatMap((inner) =>
    'Constraint' in inner ? [inner.Constraint] : [],
  );
}
