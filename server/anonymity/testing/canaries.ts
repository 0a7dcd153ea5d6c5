import { createHash } from 'node:crypto';
import type { Dump } from './dump.ts';
import type { Person } from './people.ts';

/** Length of the substrings to look for. Shorter ones occur by chance. */
const PART = 8;

/** Bytes as PostgreSQL prints them, in JSON. */
const BYTES = /\\\\x([0-9a-f]+)/g;

/**
 * Returns which values of these people appear in a dump in any common form: in the clear, in parts,
 * reversed, in hexadecimal or base64, or as a plain hash.
 */
export function findPeople(dump: Dump, people: readonly Person[]): string[] {
  const needles: Needles = new Map();
  const digits: Needles = new Map();
  const look = (form: string, of: string, among = needles) => {
    const start = form.slice(0, PART);
    among.set(start, [...(among.get(start) ?? []), [form, of]]);
  };
  for (const { email, first_name, last_name, npi, password } of people) {
    for (const value of [email, first_name, last_name, npi, password]) {
      for (const form of formsOf(value)) look(form, value);
    }
    for (const value of [email, first_name, last_name, password]) {
      for (const part of partsOf(value.toLowerCase())) look(part, value);
    }
    look(npi.slice(0, 9), npi, digits);
  }
  const { columns, bytes } = textsOf(dump);
  return [
    ...[columns, columns.toLowerCase(), bytes].flatMap((text) => findAll(text, needles)),
    // Random bytes in hexadecimal contain any nine digits now and then.
    ...[columns.replaceAll(BYTES, ''), bytes].flatMap((text) => findAll(text, digits)),
  ];
}

/** What to search for, by prefix: the form, and the value it represents. */
type Needles = Map<string, (readonly [form: string, value: string])[]>;

function findAll(text: string, needles: Needles): string[] {
  const found: string[] = [];
  const hashes = new Uint8Array(2 ** HASH_BITS);
  for (const start of needles.keys()) hashes[bitsOf(hashOf(start))] = 1;
  let hash = hashOf(text);
  for (let at = 0; at <= text.length - PART; at += 1) {
    if (at > 0) hash = nextHash(hash, text.charCodeAt(at - 1), text.charCodeAt(at + PART - 1));
    if (hashes[bitsOf(hash)] === 0) continue;
    for (const [form, value] of needles.get(text.slice(at, at + PART)) ?? []) {
      if (text.startsWith(form, at)) found.push(`${value} as ${form}`);
    }
  }
  return found;
}

/** Rolling hashes (R. M. Karp, M. O. Rabin, 1987): much faster than cutting characters out. */
const BASE = 31;
const HASH_BITS = 22;
const bitsOf = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> (32 - HASH_BITS);

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < PART; at += 1) hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
  return hash;
}

/** What the first of the hashed characters counts once another one has been added. */
const FIRST = Array.from({ length: PART }).reduce<number>((power) => Math.imul(power, BASE), 1);

const nextHash = (hash: number, gone: number, added: number) =>
  (Math.imul(hash, BASE) - Math.imul(gone, FIRST) + added) | 0;

function formsOf(value: string): string[] {
  const cases = new Set([value, value.toLowerCase(), value.toUpperCase()]);
  return [...cases].flatMap((text) => {
    const bytes = Buffer.from(text);
    const hashes = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) => {
      const hash = createHash(algorithm).update(text).digest();
      return [hash.toString('hex'), hash.toString('base64').slice(0, 20)];
    });
    // Base64 encodes the same bytes in three ways, depending on their offset.
    const base64 = ['', 'x', 'xx'].map((before) =>
      Buffer.concat([Buffer.from(before), bytes])
        .toString('base64')
        .slice(before === '' ? 0 : 4, -4),
    );
    return [text, [...text].reverse().join(''), bytes.toString('hex'), ...base64, ...hashes].filter(
      (form) => form.length >= PART,
    );
  });
}

function partsOf(value: string): string[] {
  return Array.from({ length: value.length - PART + 1 }, (_, at) => value.slice(at, at + PART));
}

/** Holds definitions, and no values of rows. */
const CATALOG = /^files\.pg_catalog\.(?!pg_statistic)/;

/** A dump as text, and its bytes and those of files as characters. */
function textsOf({ tables, sequences, fragments }: Dump): { columns: string; bytes: string } {
  const columns = JSON.stringify([...tables]) + JSON.stringify(sequences);
  const bytes = [...columns.matchAll(BYTES)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  );
  const files = fragments
    .filter(({ table }) => !CATALOG.test(table))
    .map((fragment) => fragment.bytes.toString('latin1'));
  return { columns, bytes: [...bytes, ...files].join('\n') };
}
