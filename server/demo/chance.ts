import { createHash } from 'node:crypto';

/** A pseudorandom number from 0 to 1, the same at every seeding. */
export const chance = (of: string): number =>
  createHash('sha256').update(`demo/${of}`).digest().readUInt32BE() / 2 ** 32;
