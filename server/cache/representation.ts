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
  readonly #etags: readonly string[];
  readonly #whole: Reply;
  readonly #unchanged: Reply;

  /** `etags` names this one and others that say the same in the same encoding. */
  constructor(status: number, headers: Headers, body: Buffer, etags: readonly string[]) {
    this.size = body.length;
    this.#etags = etags;
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
    if (ifNoneMatch === undefined || this.#etags.length === 0) return this.#whole;
    const isKnown = ifNoneMatch
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
      .some((tag) => this.#etags.includes(tag) || tag === '*');
    return isKnown ? this.#unchanged : this.#whole;
  }
}
