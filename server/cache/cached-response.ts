import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Smaller bodies fit in one packet anyway. */
const COMPRESSED_FROM_BYTES = 1024;
/** A client is waiting: quality above 5 takes much longer and saves little. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Safe: public responses contain no secret that their compressed size could reveal. */
const COMPRESS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body: Buffer) => promisify(gzip)(body),
};
type Encoding = keyof typeof COMPRESS;

/** Matches an Accept-Encoding that names the encoding, and not with `q=0` (RFC 9110, section 12.5.3). */
const accepts = (encoding: Encoding) =>
  new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`, 'i');
const ACCEPTS_BR = accepts('br');
const ACCEPTS_GZIP = accepts('gzip');

type Headers = Readonly<Record<string, string>>;

/** A response to send. A 304 has no body. */
interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The flat list of names and values that Node writes fastest. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer | null;
}

const replyOf = (status: number, headers: Headers, body: Buffer | null): Reply => ({
  status,
  headers,
  rawHeaders: Object.entries(headers).flat(),
  body,
});

/** The response in one encoding. */
class Representation {
  readonly #etag: string | undefined;
  readonly #whole: Reply;
  readonly #unchanged: Reply;

  constructor(status: number, headers: Headers, body: Buffer) {
    this.#etag = headers['etag'];
    this.#whole = replyOf(status, { ...headers, 'content-length': String(body.length) }, body);
    // A browser replaces its stored headers by these, the content security policy among them.
    const { 'content-type': _, 'content-encoding': __, ...renewed } = headers;
    this.#unchanged = replyOf(304, renewed, null);
  }

  /**
   * The 304 if the client has what If-None-Match names (RFC 9110, section 13.1.2). The comparison is
   * weak, since a proxy that changes the encoding weakens the tag.
   */
  replyTo(ifNoneMatch: string | undefined): Reply {
    if (ifNoneMatch === undefined || this.#etag === undefined) return this.#whole;
    const isKnown = ifNoneMatch
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
      .some((tag) => tag === this.#etag || tag === '*');
    return isKnown ? this.#unchanged : this.#whole;
  }
}

const cacheHeaders = (digest: string, encoding: Encoding | null) => ({
  // Anyone may store it, and must revalidate each time, so a change shows at once.
  'cache-control': 'public, no-cache',
  // A strong tag names the bytes, and so also the encoding (RFC 9110, section 8.8.3.3).
  etag: encoding ? `"${digest}-${encoding}"` : `"${digest}"`,
});

interface Made {
  /** The pattern of the route, for the log. */
  readonly route: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A finished response of a public route, the same for every caller. */
export class CachedResponse {
  readonly route: string;
  readonly body: Buffer;
  /** Only a 200 is cached, unless its route says `no-store`. */
  readonly isCacheable: boolean;
  readonly #encode: (body: Buffer, encoding: Encoding | null) => Representation;
  readonly #plain: Representation;
  /** Each is made once, on the first request for it. */
  readonly #compressed = new Map<Encoding, Representation | Promise<Representation>>();

  constructor({ route, status, headers, body }: Made) {
    this.route = route;
    this.body = body;
    this.isCacheable = status === 200 && headers['cache-control'] !== 'no-store';
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    this.#encode = (bytes, encoding) => {
      const shared = {
        ...headers,
        vary: 'accept-encoding',
        ...(encoding && { 'content-encoding': encoding }),
        ...(this.isCacheable ? cacheHeaders(digest, encoding) : { 'cache-control': 'no-store' }),
      };
      return new Representation(status, shared, bytes);
    };
    this.#plain = this.#encode(body, null);
  }

  /** The best representation for an Accept-Encoding; a promise while it is being compressed. */
  representation(acceptEncoding: string | undefined): Representation | Promise<Representation> {
    const encoding = this.#encodingFor(acceptEncoding);
    if (encoding === null) return this.#plain;
    return this.#compressed.get(encoding) ?? this.#compress(encoding);
  }

  #encodingFor(acceptEncoding = ''): Encoding | null {
    if (this.body.length < COMPRESSED_FROM_BYTES) return null;
    if (ACCEPTS_BR.test(acceptEncoding)) return 'br';
    return ACCEPTS_GZIP.test(acceptEncoding) ? 'gzip' : null;
  }

  #compress(encoding: Encoding): Promise<Representation> {
    const pending = COMPRESS[encoding](this.body).then((body) => {
      const representation = this.#encode(body, encoding);
      this.#compressed.set(encoding, representation);
      return representation;
    });
    this.#compressed.set(encoding, pending);
    return pending;
  }
}

/** The headers of all representations, and the objects around them. */
const OVERHEAD_BYTES = 4096;

/** Bytes in memory. The compressed bodies together are smaller than the body. */
export function weightOf(url: string, { isCacheable, body }: CachedResponse): number | null {
  return isCacheable ? OVERHEAD_BYTES + 2 * (url.length + body.length) : null;
}
