import type { Node, RangeVar } from '@pgsql/types';

type KindOf<N> = N extends N ? keyof N : never;
type Kind = KindOf<Node>;
type Body<K extends Kind> = Extract<Node, { [kind in K]: unknown }>[K];

/** All parts of a statement of one kind, at any depth, such as those in common table expressions. */
export function partsOf<K extends Kind>(root: unknown, kind: K): Body<K>[] {
  if (typeof root !== 'object' || root === null) return [];
  return Object.entries(root).flatMap(([key, value]) => [
    ...(key === kind ? [value as Body<K>] : []),
    ...partsOf(value, kind),
  ]);
}

/** The last part of a name: `f` of `public.f`. */
export function lastName(names: readonly Node[] = []): string {
  const last = names.at(-1);
  return last && 'String' in last ? (last.String.sval ?? '') : '';
}

/** `NULL`, with or without a type. */
export function isNull(node: Node): boolean {
  if ('TypeCast' in node) return node.TypeCast.arg !== undefined && isNull(node.TypeCast.arg);
  return 'A_Const' in node && node.A_Const.isnull === true;
}

/** Tables that no release has yet, so changing them cannot break one. */
export class NewTables {
  readonly #names = new Set<string>();

  add(table: RangeVar | undefined): void {
    this.#names.add(nameOf(table));
  }

  has(table: RangeVar | undefined): boolean {
    return this.#names.has(nameOf(table));
  }
}

const nameOf = ({ schemaname = 'public', relname }: RangeVar = {}) => `${schemaname}.${relname}`;
