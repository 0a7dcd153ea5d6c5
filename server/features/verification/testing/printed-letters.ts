import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { newFolder } from '#server/testing/folder.ts';

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

/** Names files in a folder of one test. */
export function newFiles(): (name: string) => string {
  const folder = newFolder();
  return (name) => path.join(folder, name);
}
