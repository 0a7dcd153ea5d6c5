import { text } from 'node:stream/consumers';
import type { EntryContext } from 'react-router';

/** Characters that mean something in HTML, or end a line in old JavaScript. */
const SPECIAL = /[&<>\u2028\u2029]/g;

const escaped = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The script at the end of a page that hands its loader data to React Router.
 *
 * React Router has a component for this, but it suspends, so it needs React's streaming renderer,
 * which is slower.
 */
export async function handoffScript(
  loaderData: NonNullable<EntryContext['serverHandoffStream']>,
  nonce: string,
): Promise<string> {
  const json = JSON.stringify(await text(loaderData)).replace(SPECIAL, escaped);
  const controller = 'window.__reactRouterContext.streamController';
  return `<script nonce="${nonce}">${controller}.enqueue(${json});${controller}.close();</script>`;
}
