import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FuzzRequest } from './requests.ts';

/** A response. */
export interface Answer {
  readonly status: number;
  /** Names in lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SOCKET_TIMEOUT_MS = 20_000;

/**
 * Writes bytes to the server. Resolves with everything received until the server closes the
 * connection; rejects if it neither responds nor closes it. `endsAfterMs`: when to end our half,
 * for requests that may be incomplete. The server then aborts requests in progress.
 */
function sendBytes(port: number, bytes: Buffer, endsAfterMs?: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.setTimeout(SOCKET_TIMEOUT_MS, () => {
      socket.destroy();
      reject(new Error('the server neither responded nor closed the connection'));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    // The server may reset a connection after its response.
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.on('end', () => socket.destroy());
    socket.write(bytes);
    if (endsAfterMs !== undefined) setTimeout(() => socket.end(), endsAfterMs);
  });
}

/** Splits a connection's bytes into responses. `methods`: the requests' methods, in order. */
export function readAnswers(bytes: Buffer, methods: readonly string[]): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(first)?.[1]);
    if (end === -1 || !status) throw new Error(`not an HTTP response: ${rest.slice(0, 200)}`);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    rest = rest.slice(end + 4);
    if (status === 100) continue;
    const isHead = methods[answers.length] === 'HEAD' && !/^[^H]/.test(rest);
    const isBare = isHead || status === 204 || status === 304;
    const { text, length } = isBare ? { text: '', length: 0 } : readBody(headers, rest);
    answers.push({ status, headers, body: decoded(Buffer.from(text, 'latin1'), headers) });
    rest = rest.slice(length);
  }
  return answers;
}

function decoded(body: Buffer, headers: Record<string, string>): string {
  const encoding = body.length > 0 ? headers['content-encoding'] : undefined;
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

function readBody(headers: Record<string, string>, rest: string) {
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'] ?? rest.length);
    return { text: rest.slice(0, length), length };
  }
  let text = '';
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    const size = Number.parseInt(rest.slice(at, lineEnd), 16);
    text += rest.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
    if (!size) return { text, length: at };
  }
}

export async function socketAnswer(port: number, request: FuzzRequest): Promise<Answer | Error> {
  const { method, url, headers, body } = request;
  const content = Buffer.from(body ?? '');
  const lines = Object.entries({ host: 'localhost:3000', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  if (body !== null) lines.push(`content-length: ${content.length}`);
  const head = [`${method} ${url} HTTP/1.1`, ...lines, 'connection: close', '', ''].join('\r\n');
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), content]);
  const [answer] = await answersTo(port, bytes, [method]);
  return answer ?? new Error('the server closed the connection without a response');
}

export async function answersTo(
  port: number,
  bytes: Buffer,
  methods: readonly string[],
  endsAfterMs?: number,
) {
  try {
    return readAnswers(await sendBytes(port, bytes, endsAfterMs), methods);
  } catch (error) {
    return [error as Error];
  }
}
