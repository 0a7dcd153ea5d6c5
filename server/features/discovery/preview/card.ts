import { PREVIEW } from '#contract/discovery.ts';
import { type FaceName, outlineOf, shortened, widthOf, wrap } from './typesetting.ts';

/** What a preview image shows. */
export interface Card {
  readonly title: string;
  readonly subtitle: string;
  /** Null without reviews. */
  readonly rating: number | null;
  /** Below the rating. */
  readonly note: string;
}

/** The light colors of web/styles/tokens.css. */
const PAPER = '#f8f8f4';
const INK = '#17211d';
const INK_SOFT = '#46524c';
const ACCENT = '#0d5c48';
const EMPTY_STAR = '#c3cbc3';

const MARGIN = 80;
const TEXT_WIDTH = PREVIEW.width - 2 * MARGIN;
/** The largest size at which a title fits into its lines. */
const TITLES = [
  { size: 92, lines: 2 },
  { size: 74, lines: 2 },
  { size: 60, lines: 3 },
] as const;
/** In a box of 24 pixels (web/styles/stars.css). */
const STAR =
  'M12 2.2l2.95 6.35 6.95.83-5.13 4.76 1.35 6.86L12 17.6 5.88 21l1.35-6.86L2.1 9.38l6.95-.83z';
const STAR_SIZE = 52;

/** A card as an SVG image without text elements: all text is outlines. */
export function drawCard({ title, subtitle, rating, note }: Card): string {
  const { size, lines } = titleLines(title);
  const top = 180 + size * 0.75;
  const bottom = top + (lines.length - 1) * size * 1.12;
  const curb = widthOf('Curbside', { face: 'display', size: 52 });
  const place = shortened(subtitle, { face: 'text', size: 36 }, TEXT_WIDTH);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW.width}" height="${PREVIEW.height}">`,
    `<rect width="100%" height="100%" fill="${PAPER}"/>`,
    text('Curbside', 'display', 52, [MARGIN, 104], INK),
    // The name on a curb: a thick line over a thin one.
    `<path d="M${MARGIN} 118h${curb}" stroke="${ACCENT}" stroke-width="4"/>`,
    `<path d="M${MARGIN} 125h${curb}" stroke="${ACCENT}" stroke-width="2"/>`,
    ...lines.map((line, at) => text(line, 'display', size, [MARGIN, top + at * size * 1.12], INK)),
    text(place, 'text', 36, [MARGIN, bottom + 68], INK_SOFT),
    ratingLine(rating, note),
    '</svg>',
  ].join('');
}

function titleLines(title: string): { size: number; lines: string[] } {
  for (const { size, lines: most } of TITLES) {
    const lines = wrap(title, { face: 'display', size }, TEXT_WIDTH);
    if (lines.length <= most) return { size, lines };
  }
  const { size, lines: most } = TITLES[2];
  const style = { face: 'display', size } as const;
  const lines = wrap(title, style, TEXT_WIDTH);
  const last = shortened(lines.slice(most - 1).join(' '), style, TEXT_WIDTH);
  return { size, lines: [...lines.slice(0, most - 1), last] };
}

function ratingLine(rating: number | null, note: string): string {
  const baseline = 560;
  if (rating === null) return text(note, 'text', 36, [MARGIN, baseline], INK_SOFT);
  const number = rating.toFixed(1);
  const starsFrom = MARGIN + widthOf(number, { face: 'display', size: 92 }) + 28;
  const noteFrom = starsFrom + 5 * STAR_SIZE + 28;
  return [
    text(number, 'display', 92, [MARGIN, baseline], INK),
    stars(rating, starsFrom, baseline - 48),
    text(note, 'text', 36, [noteFrom, baseline - 10], INK_SOFT),
  ].join('');
}

/** Five stars, with halves. */
function stars(rating: number, left: number, top: number): string {
  const scale = STAR_SIZE / 24;
  const row = (color: string) =>
    [0, 1, 2, 3, 4]
      .map((at) => `<path transform="translate(${at * 24})" d="${STAR}" fill="${color}"/>`)
      .join('');
  const inked = (Math.round(rating * 2) / 2) * 24;
  return [
    `<g transform="translate(${left} ${top}) scale(${scale})">`,
    `<clipPath id="inked"><rect width="${inked}" height="24"/></clipPath>`,
    row(EMPTY_STAR),
    `<g clip-path="url(#inked)">${row(ACCENT)}</g>`,
    '</g>',
  ].join('');
}

const text = (
  line: string,
  face: FaceName,
  size: number,
  at: [number, number],
  color: string,
): string => `<path fill="${color}" d="${outlineOf(line, { face, size }, at)}"/>`;
