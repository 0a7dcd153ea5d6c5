import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalUrl } from './canonical-url.ts';

test.each([
  // Unknown and empty parameters
  ['/reviews?f=1&utm_source=mail', '/reviews'],
  ['/reviews?search=&state=%20&page=1', '/reviews'],
  ['/reviews?page=two', '/reviews'],
  ['/reviews?ordering=best', '/reviews'],
  ['/?search=night', '/'],
  ['/terms-of-use?page=2', '/terms-of-use'],
  // Order, encoding, repetition
  ['/reviews?state=TX&search=night%20shift', '/reviews?search=night+shift&state=TX'],
  ['/reviews?page=03', '/reviews?page=3'],
  ['/reviews?search=a&search=b', '/reviews?search=a'],
  ['/reviews?city=Elmhurst&city=Dayton,Elmhurst', '/reviews?city=Elmhurst%2CDayton'],
  [`/reviews?search=${'a'.repeat(5000)}`, `/reviews?search=${'a'.repeat(201)}`],
  // Other spellings of the path
  ['/Reviews/', '/reviews'],
  ['/%72eviews', '/reviews'],
  ['/x/../reviews', '/reviews'],
  ['/reviews#top', '/reviews'],
  ['/employers/7?ordering=-helpful', '/employers/7?ordering=-helpful'],
  // A page's data
  ['/reviews.data?search=a&_routes=routes%2Freviews&f=1', '/reviews.data?search=a'],
  ['/_.data', '/_.data'],
  // The API rejects unknown parameters
  ['/api/reviews/?state=TX&f=1&search=a%20b', '/api/reviews/?f=1&search=a+b&state=TX'],
  ['/api/%72eviews/?', '/api/reviews/'],
  // Absolute form
  ['http://curbside.example/reviews?f=1', '/reviews'],
  ['HTTPS://curbside.example', '/'],
  // Neither page nor API
  ['/healthz?x=1', '/healthz?x=1'],
  ['//curbside.example/reviews', '//curbside.example/reviews'],
  ['/%E0%A4%A', '/%E0%A4%A'],
  ['*', '*'],
  ['/feeds/reviews?state=TX&city=Houston', '/feeds/reviews?city=Houston&state=TX'],
])('%s is %s', (target, canonical) => {
  expect(canonicalUrl(target)).toBe(canonical);
});

test('is idempotent', () => {
  const part = fc.constantFrom('reviews', 'api', '%72', '..', '.data', 'employers', '7', '', '_');
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  const value = text.map((a) => String(new URLSearchParams({ a })).slice(2));
  const pair = fc.tuple(fc.constantFrom('search', 'page', 'city', 'f', 'ids'), value);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.array(pair), (parts, pairs) => {
      const query = pairs.map(([name, text]) => `${name}=${text}`).join('&');
      const once = canonicalUrl(`/${parts.join('/')}?${query}`);
      expect(canonicalUrl(once)).toBe(once);
    }),
    { numRuns: 2000 },
  );
});
