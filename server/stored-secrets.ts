import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Secrets } from '#server/anonymity/keys.ts';

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const StoredSecrets = z.object({
  sealing: z.array(z.object({ id: z.string(), key: bytes })),
  index: bytes,
  authorship: bytes,
  session: bytes,
});

const fresh = () => randomBytes(32).toString('base64');

/**
 * The embedded default's own secrets: made once, kept in `DATA_DIR/secrets.json`, mode 600.
 * Two first starts at once agree on one set, since a link never replaces a file.
 */
export function storedSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const read = () => StoredSecrets.parse(JSON.parse(readFileSync(file, 'utf8')));
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  const secrets = {
    sealing: [{ id: 'k1', key: fresh() }],
    index: fresh(),
    authorship: fresh(),
    session: fresh(),
  };
  writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  chmodSync(file, 0o600);
  return read();
}
