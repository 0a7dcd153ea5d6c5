import { expect, test } from 'vitest';
import { isSameName } from './person-names.ts';

test.each([
  // [registry's, given]
  ['MIRIAM ASHWORTH-LEVY', 'Miriam Ashworth-Levy'],
  ['MIRIAM ASHWORTH LEVY', 'Miriam Ashworth-Levy'],
  ['MIRIAM ASHWORTHLEVY', 'Miriam Ashworth-Levy'],
  ['RODRIGO SANTILLAN', 'Rodrigo Santillán'],
  ['SOREN LOVDAHL', 'Søren Løvdahl'],
  ['LUKASZ STRAUSS', 'Łukasz Strauß'],
  ['BRIDGET OMALLEY', 'Bridget O’Malley'],
  ["BRIDGET O'MALLEY", 'Bridget O Malley'],
  ['JEROME ST. CYRIENNE', 'Jerome St Cyrienne'],
  ['MARY|SMITH', 'Mary Ann|Smith'],
  ['MARY A.|SMITH', 'Mary|Smith'],
  ['MARY-ANN|SMITH', 'Maryann|Smith'],
  ['JOHN|SMITH JR.', 'John|Smith'],
  ['JOHN|SMITH', 'John|Smith III, M.D.'],
  ['THI|DO', 'Thi|Do'],
  ['ANH|NGUYEN', ' Anh | Nguyễn '],
])('%s is %s', (registry, given) => {
  expect(isSameName(name(registry), name(given))).toBe(true);
  expect(isSameName(name(given), name(registry))).toBe(true);
});

test.each([
  ['MARY SMITH', 'Maria Smith'],
  ['MARY SMITH', 'Mary Smithe'],
  ['MARY|SMITH', 'Smith|Mary'],
  ['MARY|SMITH', 'Ann Mary|Smith'],
  ['MARY|SMITH-JONES', 'Mary|Smith'],
  ['MARY SMITH', 'M Smith'],
  ['MARY|SMITH', 'Mary|'],
  ['MARY|SMITH', '|Smith'],
  ['-|-', '.|.'],
])('%s is not %s', (registry, given) => {
  expect(isSameName(name(registry), name(given))).toBe(false);
});

/** "First Last", or "First names|Last names". */
function name(text: string) {
  const [first = '', last = ''] = text.includes('|') ? text.split('|') : text.split(/ (.*)/);
  return { first, last };
}
