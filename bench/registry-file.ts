import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { generatedRow } from '#server/npi-registry/testing/generated-rows.ts';
import { HEADER } from '#server/npi-registry/testing/nppes-file.ts';

/** Writes a generated monthly file with this many rows to a folder. */
export async function writeRegistryFile(folder: string, rows: number): Promise<string> {
  const file = path.join(folder, String(rows), 'npidata_pfile_20050523-20261108.csv');
  await mkdir(path.dirname(file));
  const out = createWriteStream(file);
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  await write(`${HEADER}\n`);
  for (let n = 0; n < rows; n += 1) await write(`${generatedRow(n)}\n`);
  out.end();
  await once(out, 'finish');
  return file;
}
