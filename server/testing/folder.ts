import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder that is deleted at the end of the test. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'curbside-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Writes a file that is deleted at the end of the test. */
export function newFile(name: string, content: string | Buffer): string {
  const file = path.join(newFolder(), name);
  writeFileSync(file, content);
  return file;
}
