import ipaddr from 'ipaddr.js';

interface Prefix {
  prefix: string;
  /** Its allowance, as a multiple of the limit's points. */
  share: number;
}

/** A caller's network as limits count it: its prefixes, from narrowest to widest. */
export type Network = readonly Prefix[];

/** IPv4: one address (often a whole hospital's), and the addresses around it (often strangers'). */
export const IPV4_PREFIXES = [
  { bits: 32, share: 1 },
  { bits: 24, share: 5 },
] as const;
/** IPv6: one network, and the ranges that sites are assigned (RFC 6177). */
export const IPV6_PREFIXES = [
  { bits: 64, share: 1 },
  { bits: 56, share: 1.5 },
  { bits: 48, share: 2 },
] as const;

/** Anything that a proxy sends instead of an address (RFC 7239, section 6) counts as one network. */
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
