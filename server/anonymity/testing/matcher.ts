import type { SealingKey } from '../seal.ts';
import { SealError, unseal } from '../seal.ts';
import type { Dump, DumpedRow } from './dump.ts';
import { randomFrom } from './random.ts';

/** Account -> whatever might tell when or in which order something happened to it. */
type Signals = Map<string, Map<string, number>>;

export interface Finding {
  /** What told, and of which table. */
  readonly by: string;
  /** Standard deviations from what chance would give. */
  readonly sigmas: number;
  /** Share of those whose owner was among the first five of the 200 guessed. */
  readonly amongFive: number;
}

const GUESSES = 5;

/**
 * Tries to tell whose the rows of a table are, from a dump and the sealing key. It follows every
 * value from the accounts' rows to any other row that has it, and then compares everything that
 * either side has: equal values; and places, transactions, times, numbers and lengths by their
 * order. `truth` (value of the column -> account) only counts the hits. Returns what does best.
 */
export function matchOwners(
  dump: Dump,
  sealing: readonly SealingKey[],
  { table, column }: { readonly table: string; readonly column: string },
  truth: readonly { readonly key: string; readonly userId: string }[],
): Finding[] {
  const opened = openSealed(dump, sealing);
  const accounts = rowsByKey(opened, 'public.users', 'id');
  const targets = rowsByKey(opened, table, column);
  // In random order, so that equal values say nothing.
  const pairs = randomFrom(7).shuffled(truth.filter(({ key }) => targets.has(key)));
  const users = randomFrom(8).shuffled([...accounts.keys()]);
  const left = gatherSignals(opened, users);
  const right = gatherSignals(
    opened,
    pairs.map(({ key }) => key),
  );
  const findings = [equality(opened, accounts, targets, pairs)];
  for (const [leftName, leftValues] of left) {
    for (const [rightName, rightValues] of right) {
      const by = `${leftName} ~ ${rightName}`;
      const finding = compareOrder(by, leftValues, rightValues, users, pairs);
      if (finding) findings.push(finding);
    }
  }
  return findings.sort((a, b) => b.sigmas - a.sigmas);
}

/** The same dump with what the sealing key opens added as columns. */
function openSealed(dump: Dump, keys: readonly SealingKey[]): Dump {
  const tables = new Map<string, DumpedRow[]>();
  for (const [name, rows] of dump.tables) {
    tables.set(
      name,
      rows.map((row) => ({ ...row, columns: { ...row.columns, ...openRow(keys, row.columns) } })),
    );
  }
  return { ...dump, tables };
}

function openRow(keys: readonly SealingKey[], columns: DumpedRow['columns']) {
  const data = columns['data'] as { sealed?: string } | null | undefined;
  const sealed = data?.sealed
    ? Buffer.from(data.sealed, 'base64')
    : bytesOf(columns['sealed'] ?? null);
  if (!sealed) return {};
  const hex = (name: string) => String(columns[name] ?? '').slice(2);
  const contexts = [
    'job',
    `user/${columns['id']}`,
    `code/${hex('address_key')}`,
    `reset/${hex('token_hash')}`,
    `email-change/${hex('account_key')}`,
    `email-undo/${hex('token_hash')}`,
  ];
  for (const context of contexts) {
    try {
      return { opened: unseal<object>(keys, context, sealed) };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
    }
  }
  return {};
}

const bytesOf = (value: unknown) =>
  typeof value === 'string' && value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex') : null;

function rowsByKey(dump: Dump, table: string, key: string): Map<string, DumpedRow> {
  return new Map((dump.tables.get(table) ?? []).map((row) => [String(row.columns[key]), row]));
}

/** The values of a row that are special enough to lead to another: keys, not flags. */
function valuesOf(row: DumpedRow): string[] {
  const flat = (value: unknown): string[] =>
    value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(flat)
      : [String(value)];
  return flat(row.columns).filter((value) => value.length >= 6);
}

/** Rows of any table that hold one of these ids, by id. */
function rowsWith(dump: Dump, ids: readonly string[]): Map<string, [string, DumpedRow][]> {
  const wanted = new Map<string, [string, DumpedRow][]>(ids.map((id) => [id, []]));
  for (const [table, rows] of dump.tables) {
    for (const row of rows) {
      for (const value of new Set(valuesOf(row))) wanted.get(value)?.push([table, row]);
    }
  }
  return wanted;
}

/** Every value of every row about each id as a number, by where it stands. */
function gatherSignals(dump: Dump, ids: readonly string[]): Signals {
  const signals: Signals = new Map();
  const note = (name: string, id: string, value: number) => {
    if (!Number.isFinite(value)) return;
    const values = signals.get(name) ?? new Map<string, number>();
    // Of several rows, the first that was written.
    values.set(id, Math.min(value, values.get(id) ?? Number.POSITIVE_INFINITY));
    signals.set(name, values);
  };
  for (const [id, rows] of rowsWith(dump, ids)) {
    for (const [table, row] of rows) {
      const [page = 0, place = 0] = row.ctid.slice(1, -1).split(',').map(Number);
      note(`${table}.ctid`, id, page * 1000 + place);
      note(`${table}.xmin`, id, Number(row.xmin));
      for (const [column, number] of numbersOf(row.columns)) note(`${table}.${column}`, id, number);
    }
  }
  return signals;
}

function numbersOf(columns: object, path = ''): [string, number][] {
  return Object.entries(columns).flatMap(([name, value]): [string, number][] => {
    const column = `${path}${name}`;
    if (typeof value === 'number' || typeof value === 'boolean') return [[column, Number(value)]];
    if (value === null) return [];
    if (typeof value === 'object') return numbersOf(value, `${column}.`);
    const text = String(value);
    const bytes = bytesOf(text) ?? Buffer.from(text.replaceAll('-', ''), 'hex');
    const found: [string, number][] = [[`${column}.length`, text.length]];
    if (bytes.length >= 6) {
      found.push([`${column}.start`, bytes.readUIntBE(0, 6)]);
      found.push([`${column}.end`, bytes.readUIntBE(bytes.length - 6, 6)]);
    }
    if (/^\d{4}-\d\d-\d\d/.test(text)) found.push([`${column}.time`, Date.parse(text)]);
    if (/^\d{1,16}$/.test(text)) found.push([`${column}.number`, Number(text)]);
    return found;
  });
}

type Pair = { readonly key: string; readonly userId: string };

/** Whether a value of the target's row stands in a row about few accounts, and which. */
function equality(
  dump: Dump,
  accounts: Map<string, DumpedRow>,
  targets: Map<string, DumpedRow>,
  pairs: readonly Pair[],
): Finding {
  const holders = new Map<string, Set<string>>();
  for (const [userId, rows] of rowsWith(dump, [...accounts.keys()])) {
    for (const [, row] of rows) {
      for (const value of [...valuesOf(row), `xmin ${row.xmin}`]) {
        holders.set(value, (holders.get(value) ?? new Set()).add(userId));
      }
    }
  }
  const hits = pairs.filter(({ key, userId }) => {
    const row = targets.get(key);
    const values = row ? [...valuesOf(row), `xmin ${row.xmin}`] : [];
    return values.some((value) => {
      const few = holders.get(value);
      return few !== undefined && few.size <= GUESSES && few.has(userId);
    });
  });
  return scored('equal values', hits.length, pairs.length, accounts.size, 0);
}

/** Whether the order of a signal on one side is the order of a signal on the other. */
function compareOrder(
  by: string,
  left: Map<string, number>,
  right: Map<string, number>,
  users: readonly string[],
  pairs: readonly Pair[],
): Finding | null {
  const known = pairs.filter(({ key, userId }) => left.has(userId) && right.has(key));
  if (known.length < 20) return null;
  const a = known.map(({ userId }) => left.get(userId) ?? 0);
  const b = known.map(({ key }) => right.get(key) ?? 0);
  if (new Set(a).size < 3 || new Set(b).size < 3) return null;
  const rho = pearson(ranksOf(a), ranksOf(b));
  const sameUnit = ['.xmin', '.time'].some((unit) =>
    by.split(' ~ ').every((s) => s.endsWith(unit)),
  );
  const candidates = users.filter((userId) => left.has(userId));
  const places = ranksOf(candidates.map((userId) => left.get(userId) ?? 0));
  const targetPlaces = ranksOf(b);
  const hits = known.filter(({ userId }, at) => {
    const place = ((targetPlaces[at] ?? 0) / known.length) * candidates.length;
    // Of the same unit, the last who came before is likelier than the one at the same rank.
    const ago = (index: number) => (b[at] ?? 0) - (left.get(candidates[index] ?? '') ?? 0);
    const distance = (index: number) =>
      sameUnit
        ? ago(index) < 0
          ? Number.POSITIVE_INFINITY
          : ago(index)
        : Math.abs((places[index] ?? 0) - place);
    const own = distance(candidates.indexOf(userId));
    const nearer = candidates.filter((_, index) => distance(index) < own).length;
    const equal = candidates.filter((_, index) => distance(index) === own).length;
    // Those at the same distance are tried in random order: on average half of them come first.
    return nearer + (equal - 1) / 2 < GUESSES;
  });
  return scored(by, hits.length, known.length, candidates.length, Math.abs(rho));
}

/** Hits and order, each against chance: the better counts. */
function scored(by: string, hits: number, known: number, users: number, rho: number): Finding {
  const chance = Math.min(1, GUESSES / users);
  const expected = known * chance;
  const deviation = Math.sqrt(Math.max(known * chance * (1 - chance), 1));
  const sigmas = Math.max((hits - expected) / deviation, rho * Math.sqrt(known - 1));
  return { by, sigmas, amongFive: hits / known };
}

/** Ranks from 0; equal values share the middle of theirs. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((x, y) => (values[x] ?? 0) - (values[y] ?? 0));
  const ranks = Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1] ?? 0] === values[order[from] ?? 0])
      to += 1;
    for (let at = from; at <= to; at += 1) ranks[order[at] ?? 0] = (from + to) / 2;
    from = to + 1;
  }
  return ranks;
}

function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [covariance, varianceA, varianceB] = [0, 0, 0];
  for (const [at, x] of a.entries()) {
    const [da, db] = [x - meanA, (b[at] ?? 0) - meanB];
    covariance += da * db;
    varianceA += da * da;
    varianceB += db * db;
  }
  return covariance / Math.sqrt(varianceA * varianceB || 1);
}
