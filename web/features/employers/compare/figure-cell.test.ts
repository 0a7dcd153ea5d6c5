import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FigureCell } from './figure-cell.tsx';

const FIGURE = { id: 1, place: 0, range: null, further: null, isBest: false };

test.for([
  ['too few for an average', { text: null, reviews: 2 }, '2 reviews too few to show (3 needed)'],
  ['one', { text: null, reviews: 1 }, '1 review too few to show (3 needed)'],
  ['none', { text: null, reviews: 0, isFew: false }, null],
  ['few, as in the row of all reviews', { text: '4.0', reviews: 4 }, null],
  [
    'fewer than all',
    { text: '4.0', reviews: 4, differs: true },
    '4 reviews Too few reviews to tell',
  ],
] as const)('says of how many reviews a figure is: %s', ([, cell, text]) => {
  const shown = { ...FIGURE, differs: false, isFew: true, ...cell };
  const page = renderToStaticMarkup(createElement(FigureCell, { cell: shown }));
  const [, madeFrom] = page.split('class="made-from"');
  expect(madeFrom?.replace(/^[^>]*>|<[^>]*>/g, '') ?? null).toBe(text);
});
