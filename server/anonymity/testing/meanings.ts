import type { Dump } from './dump.ts';
import type { Thief } from './thief.ts';

/** What a keyed value stands for. */
export type Meaning = Readonly<Record<string, string>>;
export type Meanings = Map<string, Meaning>;
export type Note = (key: Buffer | string, meaning: Meaning) => void;

export const column = (dump: Dump, table: string, name: string) =>
  (dump.tables.get(table) ?? []).map(({ columns }) => String(columns[name]));

/** The email addresses of all suspects, including former ones. */
export const emailsOf = ({ suspects }: Thief) =>
  suspects.people.flatMap(({ email, former_email }) =>
    former_email ? [email, former_email] : [email],
  );
