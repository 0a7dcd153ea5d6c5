import { newNpi } from '#server/testing/factories.ts';
import type { Random } from './random.ts';

export interface Person {
  email: string;
  /** The previous address, for people who changed theirs. */
  former_email?: string;
  first_name: string;
  last_name: string;
  npi: string;
  password: string;
  /** The person's IP address. */
  address: string;
}

export function newPeople(random: Random, size: number): Person[] {
  // Assigns NPIs at random: `newNpi` counts up, which must not follow the order of joining.
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

/** Two people share an address; a hospital's network has twenty-five addresses. */
const addressOf = (host: number) =>
  `198.51.${100 + Math.floor(host / 50)}.${1 + (Math.floor(host / 2) % 25)}`;
