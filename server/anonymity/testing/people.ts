import { newNpi } from '#server/testing/factories.ts';
import type { Random } from './random.ts';

export interface Person {
  email: string;
  /** The address before, of those who have changed it. */
  former_email?: string;
  first_name: string;
  last_name: string;
  npi: string;
  password: string;
  /** Where this person is on the network. */
  address: string;
}

export function newPeople(random: Random, size: number): Person[] {
  // New NPIs come in ascending order; who joins when has nothing to do with theirs.
  const npis = random.shuffled(Array.from({ length: size }, newNpi));
  const hosts = random.shuffled(Array.from({ length: size }, (_, at) => at));
  return npis.map((npi, at) => ({
    email: `${random.letters(12)}@${random.letters(9)}.example`,
    first_name: `${random.letters(1).toUpperCase()}${random.letters(8)}`,
    last_name: `${random.letters(1).toUpperCase()}${random.letters(9)}`,
    npi,
    password: `${random.letters(8)}-A1`,
    address: addressOf(hosts[at] ?? 0),
  }));
}

/** Two to an address, and twenty-five addresses to a hospital's network. */
const addressOf = (host: number) =>
  `198.51.${100 + Math.floor(host / 50)}.${1 + (Math.floor(host / 2) % 25)}`;
