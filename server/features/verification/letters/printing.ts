import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { anyOf } from '#server/db/statements.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';
import { addPage, type PrintedLetter, type Stationery } from './letter-page.ts';
import { isLetterWanted } from './proof.ts';
import { COLUMNS, dropLetter, type LetterRow, lastDay, openLetter } from './stored-letters.ts';

type PrintDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>;

/**
 * Prints all waiting letters, or, with `again`, those printed on that day. Returns how many; if
 * there are none, no file is created. Letters are marked as printed before the file is complete, so
 * that none is accidentally printed twice. After a crash or paper jam, the operator uses `--again`.
 */
export async function printLetters(
  deps: PrintDeps,
  file: string,
  again: string | null,
): Promise<number> {
  const { config, clock } = deps;
  const sender = config.letterSender;
  if (!sender) throw new OperatorError('LETTER_SENDER: must be set to print letters');
  if (existsSync(file)) throw new OperatorError(`${file} already exists`);
  const today = toDay(clock());
  if (again === null) await dropNeedless(deps);
  const opened = await openLetterFile(file).catch((error: unknown) => {
    throw explainFileError(path.dirname(file), error);
  });
  try {
    const letters = await take(deps, again, today);
    if (letters.length === 0) return 0;
    const url = `${config.publicUrl.replace(/^https:\/\//, '')}/letter`;
    await opened.write({ sender, url }, letters, today).catch((error: Error) => {
      throw new OperatorError(
        `${error.message}\nThe letters are marked as printed, but there is no file: run this again` +
          ` with --again ${again ?? today}`,
      );
    });
    return letters.length;
  } finally {
    await opened.close();
  }
}

/** Deletes waiting letters that are no longer needed. */
async function dropNeedless(deps: PrintDeps): Promise<void> {
  const { db } = deps;
  const waiting = await db
    .selectFrom('letters')
    .select(['user_id', 'sealed'])
    .where('printed_on', 'is', null)
    .execute();
  for (const { user_id, sealed } of waiting) {
    if (!(await isLetterWanted(deps, db, user_id))) await dropLetter(db, user_id, sealed);
  }
}

/** Selects the letters to print, and records their number in the audit log. */
function take(deps: PrintDeps, again: string | null, today: string): Promise<PrintedLetter[]> {
  const { db, clock } = deps;
  return inTransaction(db, async (trx) => {
    const letters =
      again === null
        ? await takeWaiting(deps, trx, today)
        : await takeAgain(deps, trx, again, today);
    if (letters.length > 0) {
      const action = again === null ? 'letters.print' : 'letters.print-again';
      const details = { count: letters.length };
      await recordAct(trx, clock, { actor: COMMAND, action, subject: 'letters', details });
    }
    return letters;
  });
}

/**
 * Marks waiting letters as printed, except those that another operator is printing. Letters whose
 * key is lost keep waiting.
 */
async function takeWaiting({ keys }: PrintDeps, trx: Db, today: string): Promise<PrintedLetter[]> {
  const rows = await trx
    .selectFrom('letters')
    .select(COLUMNS)
    .where('printed_on', 'is', null)
    .orderBy('user_id')
    .forUpdate()
    .skipLocked()
    .execute();
  const printable = rows.flatMap((row) => toPrinted(keys, row, today) ?? []);
  const userIds = printable.map(({ userId }) => userId);
  await trx
    .updateTable('letters')
    .set({ printed_on: today })
    .where('user_id', '=', anyOf('uuid', userIds))
    .execute();
  return printable;
}

/** Only letters whose code can still be entered. */
async function takeAgain({ keys }: PrintDeps, trx: Db, day: string, today: string) {
  if (today > lastDay(day)) return [];
  const rows = await trx
    .selectFrom('letters')
    .select(COLUMNS)
    .where('printed_on', '=', day)
    .orderBy('user_id')
    .execute();
  return rows.flatMap((row) => toPrinted(keys, row, day) ?? []);
}

function toPrinted(keys: Deps['keys'], row: LetterRow, printedOn: string) {
  const page = openLetter(keys, row)?.page;
  return page ? { userId: row.user_id, page, printedOn, enterBy: lastDay(printedOn) } : null;
}

/**
 * Creates a PDF file that only its owner can read, as a draft next to its final path. Never
 * overwrites another file.
 */
async function openLetterFile(file: string) {
  const draft = `${file}.${randomBytes(4).toString('hex')}.draft`;
  const handle = await open(draft, 'wx', 0o600);
  return {
    /** Writes one page per letter. The file gets its name once it is complete and on disk. */
    async write(stationery: Stationery, letters: readonly PrintedLetter[], day: string) {
      const document = newDocument(day);
      const written = pipeline(document, handle.createWriteStream({ flush: true }));
      for (const letter of letters) addPage(document, stationery, letter);
      document.end();
      await written;
      await link(draft, file);
      const folder = await open(path.dirname(file));
      await folder.sync().finally(() => folder.close());
    },
    /** Deletes the draft. */
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
