import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { storedSecrets, TAKEN_UP_MS, watchStoredSecrets } from '#server/config/stored-secrets.ts';
import { newFolder } from '#server/testing/folder.ts';
import { newSite } from '#server/testing/site.ts';

/** A new `DATA_DIR` with secrets, deleted at the end of the test. */
export function folderWithSecrets() {
  const dataDir = newFolder();
  return { dataDir, secrets: storedSecrets(dataDir) };
}

/**
 * A server that stores its secrets and reloads them when they change, like the embedded default.
 */
export async function serverWithStoredSecrets() {
  const { dataDir, secrets } = folderWithSecrets();
  const server = await newSite({ config: { dataDir, storesSecrets: true, secrets } });
  waitOnlyUntilTakenUp(dataDir);
  return { server, dataDir };
}

/** Commands wait until the server uses changed secrets, not for as long as that may take. */
function waitOnlyUntilTakenUp(dataDir: string): void {
  let used = storedSecrets(dataDir);
  const unwatch = watchStoredSecrets(dataDir, (secrets) => {
    used = secrets;
  });
  const isTakenUp = () => expect(used).toEqual(storedSecrets(dataDir));
  const pause = timers.setTimeout;
  const spy = vi
    .spyOn(timers, 'setTimeout')
    .mockImplementation((ms, ...rest) =>
      ms === TAKEN_UP_MS
        ? (vi.waitFor(isTakenUp, { timeout: 15_000, interval: 10 }) as Promise<never>)
        : pause(ms, ...rest),
    );
  syncBuiltinESMExports();
  onTestFinished(() => {
    unwatch();
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}
