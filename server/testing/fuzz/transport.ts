import type { TestApp } from '#server/testing/app.ts';
import type { FuzzRequest } from './requests.ts';
import { type Answer, readAnswers, sendBytes } from './socket.ts';

export type Send = (request: FuzzRequest) => Promise<Answer | Error>;

export async function injected({ app }: TestApp, request: FuzzRequest): Promise<Answer> {
  const { method, url, headers, body } = request;
  const options = {
    method: method as 'GET',
    url,
    headers,
    ...(body !== null && { payload: body }),
  };
  const answer = await app.inject(options);
  const texts = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return { status: answer.statusCode, headers: Object.fromEntries(texts), body: answer.body };
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
