import { access } from 'node:fs/promises';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { recordAct } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { OperatorError } from '#server/operator-error.ts';
import { openLetterFile } from './file.ts';
import { type LetterRow, lastDay, openLetter } from './letter.ts';
import type { PrintedLetter } from './page.ts';
import { isLetterWanted } from './proof.ts';
import * as queries from './queries.ts';

type PrintDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>;

/**
 * Prints the letters that wait, or, again, those that were printed on a day. Returns how many; with
 * none there is no file. Letters are marked as printed before the file is complete, so that none is
 * ever printed twice unasked: after a crash or a paper jam, the operator asks.
 */
export async function printLetters(
  deps: PrintDeps,
  file: string,
  again: string | null,
): Promise<number> {
  const { config, clock } = deps;
  const sender = config.letterSender;
  if (!sender) throw new OperatorError('LETTER_SENDER: must be set to print letters');
  if (await isThere(file)) throw new OperatorError(`${file} exists already`);
  const today = toDay(clock());
  if (again === null) await dropNeedless(deps);
  const opened = await openLetterFile(file).catch((error: Error) => {
    throw new OperatorError(error.message);
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

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** Deletes letters that wait for doctors who need none any more. */
async function dropNeedless(deps: PrintDeps): Promise<void> {
  const { db } = deps;
  for (const { user_id, sealed } of await queries.selectWaiting(db)) {
    const isWanted = await isLetterWanted(deps, db, user_id);
    if (!isWanted) await queries.dropLetter(db, user_id, sealed);
  }
}

/** Takes the letters to print, and notes in the audit log how many. */
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
      await recordAct(trx, clock, { actor: 'cli', action, subject: 'letters', details });
    }
    return letters;
  });
}

/** Marks letters as printed today. One whose key is lost goes on waiting. */
async function takeWaiting({ keys }: PrintDeps, trx: Db, today: string): Promise<PrintedLetter[]> {
  const rows = await queries.holdWaiting(trx);
  const printable = rows.flatMap((row) => toPrinted(keys, row, today) ?? []);
  const userIds = printable.map(({ userId }) => userId);
  await queries.markPrinted(trx, userIds, today);
  return printable;
}

/** Letters whose code can still be entered. */
async function takeAgain({ keys }: PrintDeps, trx: Db, day: string, today: string) {
  const rows = today > lastDay(day) ? [] : await queries.selectPrintedOn(trx, day);
  return rows.flatMap((row) => toPrinted(keys, row, day) ?? []);
}

function toPrinted(keys: Deps['keys'], row: LetterRow, printedOn: string) {
  const page = openLetter(keys, row)?.page;
  return page ? { userId: row.user_id, page, printedOn, enterBy: lastDay(printedOn) } : null;
}
