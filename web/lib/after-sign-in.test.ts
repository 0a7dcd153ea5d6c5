import { expect, test } from 'vitest';
import { pathAfterSignIn, readAfterSignIn } from './after-sign-in.ts';

const target = (search: string) => pathAfterSignIn(readAfterSignIn(new URLSearchParams(search)));

test.each([
  ['', '/dashboard'],
  ['redirect=', '/dashboard'],
  ['redirect=dashboard', '/dashboard'],
  ['redirect=create-review', '/create-review'],
  ['redirect=create-review&employer=7', '/create-review?employer=7'],
  ['redirect=create-review%3Femployer%3D7', '/create-review?employer=7'],
  ['redirect=profile', '/profile'],
  ['redirect=/profile', '/profile'],
  ['redirect=profile&employer=7', '/profile'],
  ['redirect=reviews%3Fstate%3DNY%26page%3D2%23r', '/reviews?state=NY&page=2#r'],
])('after a login with ?%s: %s', (search, path) => {
  expect(target(search)).toBe(path);
});

test.each([
  ['https://evil.example/x', '/https://evil.example/x'],
  ['//evil.example', '/evil.example'],
  ['\\evil.example', '/dashboard'],
  ['\\\\evil.example', '/dashboard'],
  ['\t/evil.example', '/dashboard'],
  ['x/..//evil.example', '/evil.example'],
  ['x/..\\\\evil.example', '/evil.example'],
  ['javascript:alert(1)', '/javascript:alert(1)'],
])('never redirects to another site: %j', (redirect, path) => {
  expect(target(String(new URLSearchParams({ redirect })))).toBe(path);
});
