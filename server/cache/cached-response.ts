import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Less than this leaves in one packet as it is. */
const COMPRESSED_FROM_BYTES = 1024;
/** Someone is waiting: beyond 5, brotli takes much longer and saves little. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** What is public holds no secret that its compressed size could tell. */
const COMPRESS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body: Buffer) => promisify(gzip)(body),
};
type Encoding = keyof typeof COMPRESS;

/** Named in Accept-Encoding, and not at `q=0` (RFC 9110, section 12.5.3). */
const accepts = (encoding: Encoding) =>
  new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`, 'i');
const ACCEPTS_BR = accepts('br');
const ACCEPTS_GZIP = accepts('gzip');

type Headers = Readonly<Record<string, string>>;

/** A head and, unless it is a 304, a body. */
interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The headers as Node writes them fastest: name, value, name, value … */
  readonly head: readonly string[];
  readonly body: Buffer | null;
}

const replyOf = (status: number, headers: Headers, body: Buffer | null): Reply => ({
  status,
  headers,
  head: Object.entries(headers).flat(),
  body,
});

/** An answer in one encoding. */
class Form {
  readonly #etag: string | undefined;
  readonly #whole: Reply;
  readonly #unchanged: Reply;

  constructor(status: number, headers: Headers, body: Buffer) {
    this.#etag = headers['etag'];
    this.#whole = replyOf(status, { ...headers, 'content-length': String(body.length) }, body);
    // A browser renews the headers it has kept by these: the content security policy is among them.
    const { 'content-type': _, 'content-encoding': __, ...renewed } = headers;
    this.#unchanged = replyOf(304, renewed, null);
  }

  /**
   * For a caller who has what If-None-Match names (RFC 9110, section 13.1.2). It is compared weakly:
   * a proxy that changes the encoding weakens the tag.
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

const keptHeaders = (digest: string, encoding: Encoding | null) => ({
  // Anyone may keep it, and asks each time whether it still holds: a change shows at once.
  'cache-control': 'public, no-cache',
  // A strong tag names the bytes, and so the encoding too (RFC 9110, section 8.8.3.3).
  etag: encoding ? `"${digest}-${encoding}"` : `"${digest}"`,
});

interface Made {
  /** The pattern of the route, for the log. */
  readonly route: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A finished answer of a public route, the same for every caller. */
export class Answer {
  readonly route: string;
  readonly body: Buffer;
  /** Only a success is, and only where its route has not said `no-store`. */
  readonly isKept: boolean;
  readonly #formOf: (body: Buffer, encoding: Encoding | null) => Form;
  readonly #plain: Form;
  /** Each made once, when it is first asked for. */
  readonly #compressed = new Map<Encoding, Form | Promise<Form>>();

  constructor({ route, status, headers, body }: Made) {
    this.route = route;
    this.body = body;
    this.isKept = status === 200 && headers['cache-control'] !== 'no-store';
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    this.#formOf = (bytes, encoding) => {
      const shared = {
        ...headers,
        vary: 'accept-encoding',
        ...(encoding && { 'content-encoding': encoding }),
        ...(this.isKept ? keptHeaders(digest, encoding) : { 'cache-control': 'no-store' }),
      };
      return new Form(status, shared, bytes);
    };
    this.#plain = this.#formOf(body, null);
  }

  /** The best form for an Accept-Encoding: a promise while it is being compressed. */
  form(acceptEncoding: string | undefined): Form | Promise<Form> {
    const encoding = this.#encodingFor(acceptEncoding);
    if (encoding === null) return this.#plain;
    return this.#compressed.get(encoding) ?? this.#compress(encoding);
  }

  #encodingFor(acceptEncoding = ''): Encoding | null {
    if (this.body.length < COMPRESSED_FROM_BYTES) return null;
    if (ACCEPTS_BR.test(acceptEncoding)) return 'br';
    return ACCEPTS_GZIP.test(acceptEncoding) ? 'gzip' : null;
  }

  #compress(encoding: Encoding): Promise<Form> {
    const making = COMPRESS[encoding](this.body).then((body) => {
      const form = this.#formOf(body, encoding);
      this.#compressed.set(encoding, form);
      return form;
    });
    this.#compressed.set(encoding, making);
    return making;
  }
}

/** Of the heads of an answer's forms, and of what stands around them. */
const OVERHEAD_BYTES = 4096;

/** What an answer takes of the memory: its compressed forms are together smaller than itself. */
export function weightOf(url: string, answer: Answer): number | null {
  return answer.isKept ? OVERHEAD_BYTES + 2 * (url.length + answer.body.length) : null;
}
