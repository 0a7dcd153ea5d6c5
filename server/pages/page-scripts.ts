import { createHash } from 'node:crypto';

/**
 * Takes the marks out of a finished page, and returns the hash (`sha256-…`; CSP Level 3, section
 * 8.3) of each inline script that was marked: those that the renderer wrote, and no other. Pages
 * stay cacheable, and the nonce never leaves the server. The renderer escapes '>' in attributes.
 */
export function sealScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const [first = '', ...rest] = html.split(` nonce="${nonce}"`);
  const hashes = new Set<string>();
  let before = first;
  for (const after of rest) {
    const isScript = before.slice(before.lastIndexOf('<')).startsWith('<script');
    const script = isScript ? contentOf(after) : '';
    if (script !== '') {
      hashes.add(`sha256-${createHash('sha256').update(script).digest('base64')}`);
    }
    before = after;
  }
  const sealed = [first, ...rest].join('');
  if (sealed.includes(nonce)) throw new Error('a page gives its nonce away');
  return { html: sealed, hashes: [...hashes] };
}

/** The text between the end of the opening tag, which `rest` is in, and the closing one. */
function contentOf(rest: string): string {
  const start = rest.indexOf('>') + 1;
  const end = rest.indexOf('</script>', start);
  return end === -1 ? '' : rest.slice(start, end);
}
