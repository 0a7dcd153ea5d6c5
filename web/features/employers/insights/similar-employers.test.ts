import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SimilarEmployers } from './similar-employers.tsx';

test('similar employers may be anywhere in the state, and the heading says so', () => {
  const far = { id: 8, name: 'X', city: 'EL PASO', state: 'TX', total_reviews: 3 };
  const similar = [{ ...far, overall_rating: 4 }];
  const page = renderToStaticMarkup(
    createElement(SimilarEmployers, { similar, type: 'clinic', state: 'TX' }),
  );
  expect(page).toContain('>Similar employers in Texas</h2>');
  expect(page).toContain('>El Paso, TX</p>');
});
