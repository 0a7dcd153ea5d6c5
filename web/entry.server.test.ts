import { expect, test } from 'vitest';
import { handoffScript } from './entry.server.tsx';

test.each([
  ['the end of a script', '</script><script>alert(1)</script>'],
  ['a comment', '<!-- <script> & -->'],
  ['quotes and line ends', '"\\"\n\u2028\u2029'],
  ['letters beyond ASCII', 'José, naïve, 病院, 🏥'],
])('the data arrives unchanged and stays within its script: %s', async (_, written) => {
  const script = await handoffScript(new Blob([written]).stream(), 'abc');
  const [, code = ''] = /^<script nonce="abc">([^<>&\u2028\u2029]*)<\/script>$/.exec(script) ?? [];
  const steps: unknown[] = [];
  const close = () => steps.push('closed');
  const streamController = { enqueue: (chunk: string) => steps.push(chunk), close };
  new Function('window', code)({ __reactRouterContext: { streamController } });
  expect(steps).toEqual([written, 'closed']);
});
