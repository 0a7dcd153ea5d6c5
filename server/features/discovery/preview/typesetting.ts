import path from 'node:path';
import { type Font, openSync } from 'fontkit';
import { plainLetters } from '#contract/plain-letters.ts';

const FONTS = path.resolve(import.meta.dirname, '../../../../web/fonts');

/** A face of the site: its main file, and the one with accented letters. */
type Face = readonly Font[];

const face = (name: string): Face =>
  // Neither file is a collection of fonts.
  [name, `${name}-latin1`].map((file) => openSync(path.join(FONTS, `${file}.woff2`)) as Font);

/** The faces that the pages use (web/styles/fonts.css). */
export const FACES = { display: face('curbside-display'), text: face('curbside-text') };
export type FaceName = keyof typeof FACES;

/** Lining figures, as in a table. */
const FEATURES = ['kern', 'liga', 'lnum'];

interface Style {
  readonly face: FaceName;
  /** In pixels. */
  readonly size: number;
}

/** The width of a line in pixels. */
export const widthOf = (line: string, style: Style): number =>
  runsOf(line, style).reduce((sum, { width }) => sum + width, 0);

/** The outlines of a line that starts at a point, as SVG path data. */
export function outlineOf(line: string, style: Style, [left, baseline]: [number, number]): string {
  let x = left;
  return runsOf(line, style)
    .map(({ glyphs, positions, scale, width }) => {
      let at = x;
      x += width;
      return glyphs
        .map((glyph, index) => {
          const { xAdvance = 0, xOffset = 0 } = positions[index] ?? {};
          const outline = glyph.path.scale(scale, -scale).translate(at + xOffset * scale, baseline);
          at += xAdvance * scale;
          return outline.toSVG();
        })
        .join('');
    })
    .join('');
}

function runsOf(line: string, { face: name, size }: Style) {
  return splitByFont(line, FACES[name]).map(({ text, font }) => {
    const { glyphs, positions, advanceWidth } = font.layout(text, FEATURES);
    const scale = size / font.unitsPerEm;
    return { glyphs, positions, scale, width: advanceWidth * scale };
  });
}

/** Runs of characters in one font. A letter that no font has loses its accents, or is omitted. */
function splitByFont(line: string, fonts: Face): { text: string; font: Font }[] {
  const runs: { text: string; font: Font }[] = [];
  for (const letter of line.normalize('NFC')) {
    const shown = [letter, plain(letter)].flatMap((text) => {
      const font = fonts.find((one) => one.hasGlyphForCodePoint(text.codePointAt(0) ?? 0));
      return font ? { text, font } : [];
    })[0];
    if (!shown) continue;
    const last = runs.at(-1);
    if (last?.font === shown.font) last.text += shown.text;
    else runs.push(shown);
  }
  return runs;
}

/** The letter without its accents: 'l' for 'ł', 'S' for 'Ś'. */
function plain(letter: string): string {
  const small = letter.toLowerCase();
  const base = plainLetters(small.normalize('NFD').charAt(0));
  return letter === small ? base : base.toUpperCase();
}

/** Breaks a text into lines between its words. A word that is too long is cut. */
export function wrap(text: string, style: Style, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ');
    if (lines.length > 0 && widthOf(longer, style) <= width) lines[lines.length - 1] = longer;
    else lines.push(shortened(word, style, width));
  }
  return lines;
}

/** The text, or as much of it as fits, with an ellipsis. */
export function shortened(text: string, style: Style, width: number): string {
  if (widthOf(text, style) <= width) return text;
  const letters = [...text];
  const cut = (length: number) => `${letters.slice(0, length).join('').trimEnd()}…`;
  let [fits, most] = [0, letters.length];
  while (fits < most) {
    const half = Math.ceil((fits + most) / 2);
    if (widthOf(cut(half), style) <= width) fits = half;
    else most = half - 1;
  }
  return cut(fits);
}
