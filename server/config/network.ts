import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a host, from `HOST` or a URL, is reachable only from this machine. `localhost` is
 * loopback (RFC 6761, section 6.3). Other names may resolve to anything.
 */
export function isLoopbackHost(host: string): boolean {
  const name = canonicalHost(host).replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const version = isIP(name);
  // BlockList also recognizes IPv4-mapped IPv6 addresses.
  return version !== 0 && LOOPBACK.check(name, version === 6 ? 'ipv6' : 'ipv4');
}

/** Lower-cases the host and removes brackets. Expands `127.1` and `0` as inet_aton does. */
function canonicalHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return bare;
  return URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`).hostname : bare;
}

/** Names of private ranges in Fastify's proxy-addr. */
const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
/** The largest private ranges: 10.0.0.0/8 and fc00::/7. Wider ones include other people's addresses. */
const MIN_PREFIX = { 4: 8, 6: 7 } as const;

/** Whether an entry of TRUST_PROXY names specific proxies rather than everybody. */
export function isProxyEntry(entry: string): boolean {
  if (PROXY_RANGES.includes(entry)) return true;
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || rest.length > 0) return false;
  // Rejects the mapped form, whose prefix length would be misleading.
  if (/^[0:]*:ffff:/i.test(address)) return false;
  if (prefix === undefined) return true;
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  return bits >= MIN_PREFIX[version] && bits <= (version === 4 ? 32 : 128);
}
