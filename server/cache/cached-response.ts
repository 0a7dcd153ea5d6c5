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
  readonly size: number;
  readonly #etag: string;
  readonly #whole: Reply;
  /** The 304s, by the tag each repeats: the client keeps the bytes that the tag identifies. */
  readonly #unchanged: ReadonlyMap<string, Reply>;

  /** `etags` has this one and others with the same content and encoding. */
  constructor(status: number, headers: Headers, body: Buffer, etags: readonly string[]) {
    this.size = body.length;
    this.#etag = headers['etag'] ?? '';
    this.#whole = replyOf(status, { ...headers, 'content-length': String(body.length) }, body);
    // A browser replaces its stored headers with these, including the content security policy.
    const { 'content-type': _, 'content-encoding': __, ...renewed } = headers;
    this.#unchanged = new Map(
      etags.map((etag) => [etag, replyOf(304, { ...renewed, etag }, null)]),
    );
  }

  /**
   * The 304 if If-None-Match names what the client has (RFC 9110, section 13.1.2). The comparison
   * is weak, because a proxy that changes the encoding weakens the tag.
   */
  replyTo(ifNoneMatch: string | undefined): Reply {
    if (ifNoneMatch === undefined) return this.#whole;
    for (const tag of ifNoneMatch.split(',')) {
      const named = tag.trim().replace(/^W\//, '');
      const known = this.#unchanged.get(named === '*' ? this.#etag : named);
      if (known) return known;
    }
    return this.#whole;
  }
}

/** Smaller bodies fit in one packet anyway. Images are already compressed. */
const COMPRESSED_FROM_BYTES = 1024;
const brotli = (quality: number) => async (body: Buffer) =>
  exact(
    await promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality },
    }),
  );

/** A copy that takes only its own bytes: zlib returns a slice of a 16 kB buffer. */
function exact(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Safe: public responses contain no secret that their compressed size could reveal. */
const COMPRESS = {
  // A client is waiting: quality above 5 takes much longer and saves little.
  br: brotli(5),
  gzip: async (body: Buffer) => exact(await promisify(gzip)(body)),
};
type Encoding = keyof typeof COMPRESS;

/** Saves another 10 % and takes 20 times as long: for responses that last and are requested again. */
const recompress = brotli(10);
const RECOMPRESSED = { afterRepeats: 3, afterMs: 2000, toBytes: 512 * 1024 };
/** One at a time, and at most a tenth of the time, so that nobody can occupy a processor with it. */
let mayRecompress = true;
const REST_FACTOR = 9;

/** Matches an Accept-Encoding that allows the encoding, not with `q=0` (RFC 9110, section 12.5.3). */
const accepts = (encoding: Encoding) =>
  new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`, 'i');
const ACCEPTS_BR = accepts('br');
const ACCEPTS_GZIP = accepts('gzip');

/** ETag suffixes by encoding. A strong tag identifies the bytes (RFC 9110, section 8.8.3.3). */
const TAG_ENDINGS = { plain: [''], br: ['-br', '-br10'], gzip: ['-gzip'] } as const;

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
  readonly #encode: (body: Buffer, encoding: Encoding | null, version?: 0 | 1) => Representation;
  readonly #plain: Representation;
  /** Each is computed once, on the first request for it. */
  readonly #compressed = new Map<Encoding, Representation | Promise<Representation>>();
  readonly #isCompressible: boolean;
  readonly #madeAt = performance.now();
  #repeats = 0;

  constructor({ route, status, headers, body }: Made) {
    this.route = route;
    this.body = body;
    this.isCacheable = status === 200 && headers['cache-control'] !== 'no-store';
    const isImage = headers['content-type']?.startsWith('image/') === true;
    this.#isCompressible = body.length >= COMPRESSED_FROM_BYTES && !isImage;
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    this.#encode = (bytes, encoding, version = 0) => {
      const endings = this.isCacheable ? TAG_ENDINGS[encoding ?? 'plain'] : [];
      const etags = endings.map((ending) => `"${digest}${ending}"`);
      const etag = etags[version];
      const shared = {
        ...headers,
        vary: 'accept-encoding',
        ...(encoding && { 'content-encoding': encoding }),
        // Anyone may store it, but must revalidate each time, so that a change shows immediately.
        'cache-control': this.isCacheable ? 'public, no-cache' : 'no-store',
        ...(etag && { etag }),
      };
      return new Representation(status, shared, bytes, etags);
    };
    this.#plain = this.#encode(body, null);
  }

  /** The best representation for an Accept-Encoding; a promise while it is being compressed. */
  representation(acceptEncoding: string | undefined): Representation | Promise<Representation> {
    const encoding = this.#encodingFor(acceptEncoding);
    if (encoding === null) return this.#plain;
    const made = this.#compressed.get(encoding);
    if (encoding === 'br' && made instanceof Representation) this.#recompressOnce(made);
    return made ?? this.#compress(encoding);
  }

  #encodingFor(acceptEncoding = ''): Encoding | null {
    if (!this.#isCompressible) return null;
    if (ACCEPTS_BR.test(acceptEncoding)) return 'br';
    return ACCEPTS_GZIP.test(acceptEncoding) ? 'gzip' : null;
  }

  #recompressOnce(made: Representation): void {
    this.#repeats += 1;
    const { afterRepeats, afterMs, toBytes } = RECOMPRESSED;
    if (!mayRecompress || this.#repeats < afterRepeats || this.body.length > toBytes) return;
    const began = performance.now();
    if (began - this.#madeAt < afterMs) return;
    mayRecompress = false;
    this.#repeats = Number.NEGATIVE_INFINITY;
    recompress(this.body)
      .then((body) => {
        if (body.length < made.size) this.#compressed.set('br', this.#encode(body, 'br', 1));
      })
      // On an error, the existing one stays.
      .catch(() => {})
      .finally(() => {
        const rest = REST_FACTOR * (performance.now() - began);
        setTimeout(() => {
          mayRecompress = true;
        }, rest).unref();
      });
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
