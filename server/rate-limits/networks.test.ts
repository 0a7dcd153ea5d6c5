import { expect, test } from 'vitest';
import { networkOf } from './limits.ts';

test.each([
  ['192.0.2.1', '192.0.2.1/32', '192.0.2.0/24'],
  ['::ffff:192.0.2.1', '192.0.2.1/32', '192.0.2.0/24'],
  ['::ffff:c000:201', '192.0.2.1/32', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48'],
  ['2001:db8:1:1ff::6', '2001:db8:1:1ff::/64', '2001:db8:1:100::/56', '2001:db8:1::/48'],
  ['2001:DB8::1', '2001:db8::/64', '2001:db8::/56', '2001:db8::/48'],
  ['fe80::1%eth0', 'fe80::/64', 'fe80::/56', 'fe80::/48'],
  ['unix socket', 'unknown'],
  ['', 'unknown'],
])('%s is in %s', (ip, ...prefixes) => {
  expect(networkOf({ ip }).map(({ prefix }) => prefix)).toEqual(prefixes);
});

test('allows more for a wider prefix', () => {
  const shares = (ip: string) => networkOf({ ip }).map(({ share }) => share);
  expect(shares('192.0.2.1')).toEqual([1, 5]);
  expect(shares('2001:db8::1')).toEqual([1, 1.5, 2]);
});
