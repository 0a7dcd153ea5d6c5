import { randomBytes } from 'node:crypto';
import { deriveKeys, type Keys, type Secrets } from '../keys.ts';
import type { Person } from './people.ts';

/** The four settings, and their names among the secrets. */
export const SECRETS = {
  SEALING_KEYS: 'sealing',
  INDEX_KEY: 'index',
  AUTHORSHIP_KEY: 'authorship',
  SESSION_KEY: 'session',
} as const;
export type KeyName = keyof typeof SECRETS;
export const ALL_KEYS = Object.keys(SECRETS) as KeyName[];

/** A thief with a dump, some keys, and public knowledge about the doctors of a region. */
export interface Thief {
  readonly holds: readonly KeyName[];
  readonly keys: Keys;
  /** People to try: from the public NPI registry, hospital address lists, and hospital networks. */
  readonly suspects: Suspects;
}

export interface Suspects {
  readonly people: readonly Person[];
  readonly addresses: readonly string[];
}

/** Every set of keys, from none to all. */
export function keySets(): KeyName[][] {
  return Array.from({ length: 2 ** ALL_KEYS.length }, (_, bits) =>
    ALL_KEYS.filter((_name, at) => bits & (1 << at)),
  ).toSorted((a, b) => a.length - b.length);
}

const random = () => randomBytes(32);
/** Stand for the keys that a thief lacks. What is derived from them matches nothing. */
const OTHERS: Secrets = {
  sealing: [{ id: 'none', key: random() }],
  index: [random()],
  authorship: [random()],
  session: random(),
};

export function thiefWith(holds: readonly KeyName[], secrets: Secrets, suspects: Suspects): Thief {
  const held = holds.map((name) => [SECRETS[name], secrets[SECRETS[name]]]);
  return { holds, keys: deriveKeys({ ...OTHERS, ...Object.fromEntries(held) }), suspects };
}
