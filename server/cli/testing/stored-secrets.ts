import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { storedSecrets, watchStoredSecrets } from '#server/stored-secrets.ts';
import { buildTestApp } from '#server/testing/app.ts';

/** A server whose secrets are stored, and taken up when they change, as the embedded default's. */
export async function serverWithStoredSecrets() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'curbside-secrets-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const secrets = storedSecrets(dataDir);
  const server = await buildTestApp({ config: { dataDir, storesSecrets: true, secrets } });
  onTestFinished(watchStoredSecrets(dataDir, server.deps.keys.replace));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, dataDir };
}
