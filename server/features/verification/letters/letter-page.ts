import { LETTER_ATTEMPTS } from '#contract/limits.ts';
import { plainLetters } from '#contract/plain-letters.ts';
import { longDay } from '#server/anonymity/coarse-time.ts';
import type { LetterContent, Recipient } from './stored-letters.ts';

/** Shared by all letters of a print run. */
export interface Stationery {
  readonly sender: readonly string[];
  /** The URL for entering the code. */
  readonly url: string;
}

export interface PrintedLetter {
  readonly page: NonNullable<LetterContent['page']>;
  /** `YYYY-MM-DD` */
  readonly printedOn: string;
  readonly enterBy: string;
}

const INCH = 72;

/**
 * US Letter, for a standard #10 left-window envelope: 9 1/2 by 4 1/8 inches, with a window of 4 1/2
 * by 1 1/8 inches, 7/8 from the left and 1/2 from the bottom. USPS requires 1/8 inch between
 * address and window edge, and type of at least 8 points, preferably 10 to 12 (USPS Publication 25,
 * "Designing Letter and Reply Mail"). Folded at 3 7/8 and 7 7/16 inches, the sheet can move 1/4
 * inch vertically and 1 inch horizontally in the envelope. The part that is always visible is 2 1/2
 * to 3 3/8 inches from the top and 7/8 to 4 3/8 from the left; the address block is 1/8 inch inside
 * of it. Nothing else is printed from 2 1/4 to 3 5/8 inches from the top, the part that may be
 * visible.
 */
const LAYOUT = {
  folds: [3.875 * INCH, 7.4375 * INCH],
  sender: { x: 1 * INCH, y: 0.6 * INCH, bottom: 2.2 * INCH },
  address: { x: 1 * INCH, y: 2.625 * INCH, width: 3.25 * INCH, height: 0.625 * INCH },
  body: { x: 1 * INCH, y: 4.3 * INCH, width: 6.5 * INCH },
} as const;

/** The largest size that fits is used, with two points of extra line spacing. */
const ADDRESS_SIZES = [10, 9, 8];
const FONT = 'Helvetica';
const BOLD = 'Helvetica-Bold';
const CODE_FONT = 'Courier-Bold';

type Document = PDFKit.PDFDocument;

/** Adds one letter. It does not mention what the code is for. */
export function addPage(document: Document, stationery: Stationery, letter: PrintedLetter): void {
  document.addPage({ size: 'LETTER', margin: 0 });
  addFolds(document);
  addSender(document, stationery.sender);
  addAddress(document, addressLines(letter.page.to));
  addBody(document, stationery, letter);
}

function addFolds(document: Document) {
  for (const y of LAYOUT.folds) {
    document
      .moveTo(0.15 * INCH, y)
      .lineTo(0.3 * INCH, y)
      .lineWidth(0.5)
      .stroke('#888888');
  }
}

function addSender(document: Document, sender: readonly string[]) {
  const { x, y } = LAYOUT.sender;
  document.font(FONT).fontSize(9);
  for (const [at, line] of sender.entries()) putLine(document, line, x, y + at * 12);
}

function addAddress(document: Document, lines: readonly string[]) {
  const { x, y } = LAYOUT.address;
  const { size, wrapped } = fitted(document, lines);
  document.font(FONT).fontSize(size);
  for (const [at, line] of wrapped.entries()) putLine(document, line, x, y + at * (size + 2));
}

/** Chooses the largest font size at which all lines fit, and wraps long lines between words. */
function fitted(document: Document, lines: readonly string[]) {
  const { width, height } = LAYOUT.address;
  document.font(FONT);
  const tries = ADDRESS_SIZES.map((size) => {
    document.fontSize(size);
    const wrapped = lines.flatMap((line) => wrap(document, line, width));
    const isTooHigh = wrapped.length * (size + 2) - 2 > height;
    return { size, wrapped, isTooHigh };
  });
  const smallest = tries.at(-1);
  if (!smallest) throw new Error('no size');
  return (
    tries.find(({ isTooHigh, wrapped }) => !isTooHigh && wrapped.length === lines.length) ??
    tries.find(({ isTooHigh }) => !isTooHigh) ??
    smallest
  );
}

function wrap(document: Document, line: string, width: number): string[] {
  const wrapped: string[] = [];
  for (const word of line.split(' ')) {
    const last = wrapped.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && document.widthOfString(longer) > width) wrapped.push(word);
    else wrapped.splice(-1, 1, longer);
  }
  return wrapped;
}

const putLine = (document: Document, line: string, x: number, y: number) =>
  document.fillColor('black').text(line, x, y, { lineBreak: false });

function addBody(
  document: Document,
  { url }: Stationery,
  { page, printedOn, enterBy }: PrintedLetter,
) {
  const { x, y, width } = LAYOUT.body;
  const paragraph = (text: string) =>
    document.font(FONT).fontSize(11).text(text, { width, lineGap: 3 }).moveDown(0.8);
  document.fillColor('black').font(FONT).fontSize(10).text(longDay(printedOn), x, y);
  document.moveDown(1.5).font(BOLD).fontSize(15).text('Your code').moveDown(0.8);
  paragraph(`Please enter this code by ${longDay(enterBy)} at`);
  document.font(BOLD).fontSize(12).text(url, { width }).moveDown(0.9);
  document.font(CODE_FONT).fontSize(26).text(page.code, { characterSpacing: 2 });
  document.moveDown(0.6);
  paragraph(
    'You requested this letter, or someone else did in your name. The code shows that mail reaches' +
      ' you at the practice address that the national registry of health care providers (NPPES) has' +
      ` for you. Capitalization does not matter, and you have ${LETTER_ATTEMPTS} attempts.`,
  );
  paragraph(
    'If you did not request it, keep the code to yourself and destroy this letter. Nobody will ever' +
      ' call or write to you to ask for the code.',
  );
}

/**
 * Capitals as in postal addresses (USPS Publication 28, section 2), and only characters that the
 * standard PDF fonts have.
 */
function postalText(text: string): string {
  return plainLetters(text.toLowerCase())
    .normalize('NFKD')
    .toUpperCase()
    .replace(/\p{M}/gu, '')
    .replace(/[’‘`´]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^\x20-\x7E]/g, '?')
    .replace(/ +/g, ' ')
    .trim();
}

/** Name, street lines, and the last line (city, state, ZIP code). */
function addressLines({ name, lines, city, state, postal_code }: Recipient): string[] {
  return [name, ...lines, `${city} ${state} ${postal_code}`].map(postalText);
}
