export type Headers = Readonly<Record<string, string>>;

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
export class Representation {
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
