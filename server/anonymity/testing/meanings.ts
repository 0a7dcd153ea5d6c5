import type { Dump } from './dump.ts';
import { dumpedBytes } from './open-dump.ts';
import type { Thief } from './thief.ts';

/** What a keyed value stands for. */
export type Meaning = Readonly<Record<string, string>>;
export type Meanings = ReadonlyMap<string, Meaning>;
export type Note = (key: Buffer, meaning: Meaning) => void;

/** What `compute` notes, by key as in a dump. */
function meaningsOf(compute: (note: Note) => void): Meanings {
  const meanings = new Map<string, Meaning>();
  compute((key, meaning) => meanings.set(dumpedBytes(key), meaning));
  return meanings;
}

/** Cache: suspects -> parts of the input -> what was computed from it. */
const computed = new WeakMap<Thief['suspects'], Map<string, Meanings>>();

/** Like `meaningsOf`, once for all thieves and dumps with the same input. */
export function meaningsFrom(
  { suspects }: Thief,
  input: readonly unknown[],
  compute: (note: Note) => void,
): Meanings {
  const known = computed.get(suspects) ?? new Map<string, Meanings>();
  computed.set(suspects, known);
  const name = JSON.stringify(input);
  const meanings = known.get(name) ?? meaningsOf(compute);
  known.set(name, meanings);
  return meanings;
}

export const column = (dump: Dump, table: string, name: string) =>
  (dump.tables.get(table) ?? []).map(({ columns }) => String(columns[name]));

/** The email addresses of all suspects, including former ones. */
export const emailsOf = ({ suspects }: Thief) =>
  suspects.people.flatMap(({ email, former_email }) =>
    former_email ? [email, former_email] : [email],
  );
