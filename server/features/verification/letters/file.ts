import { randomBytes } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { addPage, type PrintedLetter, type Stationery } from './page.ts';

export interface LetterFile {
  /** Writes one page per letter. The file gets its name once it is complete and on disk. */
  write(stationery: Stationery, letters: readonly PrintedLetter[], day: string): Promise<void>;
  /** Deletes the draft. */
  close(): Promise<void>;
}

/**
 * Creates a PDF file that only its owner can read, as a draft next to its final path. It never
 * overwrites another file.
 */
export async function openLetterFile(file: string): Promise<LetterFile> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.draft`;
  const handle = await open(draft, 'wx', 0o600);
  return {
    async write(stationery, letters, day) {
      const document = newDocument(day);
      const written = pipeline(document, handle.createWriteStream({ flush: true }));
      for (const letter of letters) addPage(document, stationery, letter);
      document.end();
      await written;
      await link(draft, file);
      const folder = await open(path.dirname(file));
      await folder.sync().finally(() => folder.close());
    },
    async close() {
      await handle.close();
      await unlink(draft);
    },
  };
}

/** The metadata contain only the day. */
function newDocument(day: string): PDFKit.PDFDocument {
  const midnight = new Date(day);
  return new PDFDocument({
    autoFirstPage: false,
    info: { Producer: '', Creator: '', CreationDate: midnight, ModDate: midnight },
  });
}
