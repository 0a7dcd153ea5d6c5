import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { storedSecrets, watchStoredSecrets } from '#server/stored-secrets.ts';
import { buildTestApp } from '#server/testing/app.ts';

/**
 * A server that stores its secrets and reloads them when they change, like the embedded default.
 */
export async function serverWithStoredSecrets() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'curbside-secrets-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const secrets = storedSecrets(dataDir);
  const server = await buildTestApp({ config: { dataDir, storesSecrets: true, secrets } });
  onTestFinished(watchStoredSecrets(dataDir, server.deps.keys.replace));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, dataDir };
}
