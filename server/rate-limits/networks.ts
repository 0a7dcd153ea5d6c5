import ipaddr from 'ipaddr.js';

interface Prefix {
  prefix: string;
  /** What it is allowed, as a multiple of the limit's points. */
  share: number;
}

/** Where a caller is, as limits count it: from the narrowest prefix to the widest. */
export type Network = readonly Prefix[];

/** IPv4: an address (often a whole hospital's), and its neighbors, who are often strangers. */
export const IPV4_PREFIXES = [
  { bits: 32, share: 1 },
  { bits: 24, share: 5 },
] as const;
/** IPv6: one network, and what sites are given many of (RFC 6177). */
export const IPV6_PREFIXES = [
  { bits: 64, share: 1 },
  { bits: 56, share: 1.5 },
  { bits: 48, share: 2 },
] as const;

/** What a proxy may pass on instead of an address (RFC 7239, section 6) is one network. */
const UNKNOWN: Network = [{ prefix: 'unknown', share: 1 }];

export function networkOf({ ip }: { ip: string }): Network {
  if (!ipaddr.isValid(ip)) return UNKNOWN;
  // IPv4-mapped IPv6 addresses are IPv4 addresses.
  const address = ipaddr.process(ip);
  const isIpv4 = address.kind() === 'ipv4';
  const bytes = address.toByteArray();
  return (isIpv4 ? IPV4_PREFIXES : IPV6_PREFIXES).map(({ bits, share }) => {
    const network = bytes.map((byte, at) => (at < bits / 8 ? byte : 0));
    return { prefix: `${ipaddr.fromByteArray(network)}/${bits}`, share };
  });
}
