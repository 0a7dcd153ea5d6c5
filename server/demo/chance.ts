import { createHash } from 'node:crypto';

/** A number from 0 to 1 that looks random, and is the same at every seeding. */
export const chance = (of: string): number =>
  createHash('sha256').update(`demo/${of}`).digest().readUInt32BE() / 2 ** 32;
