import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { onTestFinished } from 'vitest';

/** The text of each page of a PDF. */
export async function pagesOf(file: string): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(await readFile(file)));
  return (await extractText(document)).text;
}

/** The code on a page. */
export function codeOn(page = ''): string {
  const code = page.match(/\b[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}\b/)?.[0];
  if (!code) throw new Error(`no code in: ${page}`);
  return code;
}

/** A temporary folder for one test. */
export async function newFolder(): Promise<(name: string) => string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'curbside-letters-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return (name) => path.join(folder, name);
}
