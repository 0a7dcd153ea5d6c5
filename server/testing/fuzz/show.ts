import type { Exchange, FuzzRequest } from './requests.ts';

/** Prints the requests of an exchange, so that someone can repeat them. */
export const show = (exchange: Exchange) => exchange.map(showRequest).join('\n');

function showRequest({ role, method, url, headers, body }: FuzzRequest): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `      ${name}: ${shortened(value)}`,
  );
  const content = body === null ? [] : [`      ${shortened(body)}`];
  return [`    ${method} ${shortened(url)} as ${role}`, ...lines, ...content].join('\n');
}

/** Shortens long texts to their beginning, end, and length. */
export function shortened(text: string): string {
  if (text.length <= 500) return text;
  return `${text.slice(0, 300)}… (${text.length} characters) …${text.slice(-60)}`;
}
