import { expect, test } from 'vitest';
import { apiPath, withQuery } from './api-path.ts';

test("fills in the parameters and the query of an endpoint's path", () => {
  expect(apiPath({ path: '/reviews/' })).toBe('/reviews/');
  const query = { page: 2, ordering: '-created_at', search: '' };
  expect(apiPath({ path: '/reviews/' }, { query })).toBe('/reviews/?page=2&ordering=-created_at');
  const params = { id: '../x' };
  const path = '/employers/:id/reviews/';
  const filled = '/employers/..%2Fx/reviews/?page=3';
  expect(apiPath({ path }, { params, query: { page: 3 } })).toBe(filled);
});

test('leaves out unset query values, and keeps false and 0', () => {
  expect(withQuery('/x', { a: '', b: null, c: undefined, d: false, e: 0 })).toBe('/x?d=false&e=0');
});
