import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

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
    // A browser replaces its stored headers with these, including the content security policy.
    const { 'content-type': _, 'content-encoding': __, ...renewed } = headers;
    this.#unchanged = replyOf(304, renewed, null);
  }

  /**
   * The 304 if If-None-Match names what the client has (RFC 9110, section 13.1.2). The comparison
   * is weak, because a proxy that changes the encoding weakens the tag.
   */
  replyTo(ifNoneMatch: string | undefined): Reply {
    if (ifNoneMatch === undefined || this.#etag === undefined) return this.#whole;
    const named = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return named.includes('*') || named.includes(this.#etag) ? this.#unchanged : this.#whole;
  }
}

/** Smaller bodies fit in one packet anyway. Images are already compressed. */
const COMPRESSED_FROM_BYTES = 1024;

/** A copy that takes only its own bytes: zlib returns a slice of a 16 kB buffer. */
function exact(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** A client is waiting: quality above 5 takes much longer and saves little. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Safe: public responses contain no secret that their compressed size could reveal. */
const COMPRESS = {
  br: async (body: Buffer) => exact(await promisify(brotliCompress)(body, BROTLI)),
  gzip: async (body: Buffer) => exact(await promisify(gzip)(body)),
};
type Encoding = keyof typeof COMPRESS;

/** Matches an Accept-Encoding that allows the encoding, not with `q=0` (RFC 9110, section 12.5.3). */
const accepts = (encoding: Encoding) =>
  new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`, 'i');
const ACCEPTS_BR = accepts('br');
const ACCEPTS_GZIP = accepts('gzip');

/** ETag suffixes by encoding. A strong tag identifies the bytes (RFC 9110, section 8.8.3.3). */
const TAG_ENDINGS = { plain: '', br: '-br', gzip: '-gzip' };

interface Made {
  /** The route's pattern, for the log. */
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
  /** Each is computed once, on the first request for it. */
  readonly #compressed = new Map<Encoding, Representation | Promise<Representation>>();
  readonly #isCompressible: boolean;

  constructor({ route, status, headers, body }: Made) {
    this.route = route;
    this.body = body;
    this.isCacheable = status === 200 && headers['cache-control'] !== 'no-store';
    const isImage = headers['content-type']?.startsWith('image/') === true;
    this.#isCompressible = body.length >= COMPRESSED_FROM_BYTES && !isImage;
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    this.#encode = (bytes, encoding) => {
      const shared = {
        ...headers,
        vary: 'accept-encoding',
        ...(encoding && { 'content-encoding': encoding }),
        // Anyone may store it, but must revalidate each time, so that a change shows immediately.
        'cache-control': this.isCacheable ? 'public, no-cache' : 'no-store',
        ...(this.isCacheable && { etag: `"${digest}${TAG_ENDINGS[encoding ?? 'plain']}"` }),
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
    if (!this.#isCompressible) return null;
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

/** Bytes in memory. The compressed bodies combined are smaller than the body. */
export function weightOf(url: string, { isCacheable, body }: CachedResponse): number | null {
  return isCacheable ? OVERHEAD_BYTES + 2 * (url.length + body.length) : null;
}
