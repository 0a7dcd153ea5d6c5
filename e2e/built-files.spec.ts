import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from './fixtures.ts';
import {
  isNewerMember,
  newerAttributes,
  newerCss,
  newerNames,
  newerObjects,
} from './newer-features.ts';
import { ROOT } from './server.ts';

/** What is newer than the oldest browsers of the promise, by why nobody misses it there. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'scripts ask for it first': [
    '.connection',
    '.hidePopover',
    '.share',
    '.stackTraceLimit',
    '.startViewTransition',
    '.toBase64',
    'Error.captureStackTrace',
  ],
  'web/shell/popover-fallback.ts opens the menus': ['.popover', 'popover=', 'popovertarget='],
  'a name of our own': [
    '.capture',
    '.displayName',
    '.login',
    '.role',
    '.use',
    'capture=',
    'is=',
    'shape=',
  ],
  'a property with a prefix does the same': [
    'print-color-adjust: exact',
    'text-decoration: dotted',
    'text-size-adjust',
  ],
  'hints for keyboards': ['autocapitalize=', 'autocorrect='],
  'Tailwind sets the same values under @supports': ['@property'],
  'needed only without script, and Enter sends forms then, too': ['(scripting)'],
  'an empty row for notes is printed, and the mouse pointer over labels is an arrow': [':has'],
  'margins of printed pages, and where they break': [
    '@page',
    'break-after: avoid',
    'orphans',
    'widows',
  ],
  looks: [
    ':-webkit-inner-spin-button',
    ':-webkit-search-cancel-button',
    '-webkit-tap-highlight-color',
    '@starting-style',
    'font-family: ui-monospace',
    'forced-color-adjust',
    'forced-color-adjust: none',
    'scrollbar-width',
    'scrollbar-width: none',
    'scrollbar-width: thin',
    'text-wrap',
    'text-wrap: balance',
    'text-wrap: pretty',
  ],
  'cards are laid out at once': [
    'contain-intrinsic-block-size',
    'content-visibility',
    'content-visibility: auto',
  ],
};

type Node = { type: string } & Record<string, unknown>;

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string') yield* nodesOf(child);
  }
}

const nameOf = (node: unknown) => {
  const { type, name, value } = (node ?? {}) as Node;
  if (type === 'Identifier') return String(name);
  return type === 'Literal' && typeof value === 'string' ? value : '';
};

/** Newer features that a script uses without asking whether they are there, as far as names show. */
function* newerInScript(code: string): Generator<string> {
  for (const node of nodesOf(parseAst(code) as unknown as Node)) {
    if (node.type === 'MemberExpression' && !node['computed']) {
      const [object, member] = [nameOf(node['object']), nameOf(node['property'])];
      if (isNewerMember(object, member)) yield `${object}.${member}`;
      else if (newerNames.has(member)) yield `.${member}`;
      if (newerObjects.has(`${object}.${member}`)) yield `${object}.${member}`;
    }
    if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const name = nameOf(node['callee']);
      if (newerObjects.has(name)) yield name;
    }
    if (node.type === 'Property') {
      const name = nameOf(node['key']).toLowerCase();
      if (newerAttributes.has(name)) yield `${name}=`;
    }
    const { flags = '', pattern = '' } = (node['regex'] ?? {}) as Record<string, string>;
    if (flags.includes('v') || /\(\?[ims]*-?[ims]+:/.test(pattern)) yield `/${pattern}/${flags}`;
  }
}

const withoutGuarded = (css: string): string => {
  const start = css.indexOf('@supports');
  if (start === -1) return css;
  let end = css.indexOf('{', start) + 1;
  for (let depth = 1; depth > 0; end += 1) depth += { '{': 1, '}': -1 }[css[end] ?? ''] ?? 0;
  return css.slice(0, start) + withoutGuarded(css.slice(end));
};

/** Newer features of a style sheet outside of `@supports`. */
function* newerInStyles(css: string): Generator<string> {
  const text = withoutGuarded(css.replace(/url\([^)]*\)|"[^"]*"|\\./g, '_'));
  for (const [, head = '', end] of text.matchAll(/([^{};]+)([{};])/g)) {
    const rule = /^@([a-z-]+)/.exec(head)?.[1];
    if (rule !== undefined) {
      if (newerCss.rule(rule)) yield `@${rule}`;
      for (const [, name = ''] of rule === 'media' ? head.matchAll(/\(([a-z-]+)[:)]/g) : [])
        if (newerCss.mediaFeature(name)) yield `(${name})`;
    } else if (end === '{') {
      if (head.includes('&')) yield '&';
      for (const [, name = ''] of head.matchAll(/::?([a-z-]+)/g))
        if (newerCss.selector(name)) yield `:${name}`;
    } else {
      const [property = '', value = ''] = head.split(/:(.*)/s);
      if (property.startsWith('--')) continue;
      const isPrefixed = css.includes(`-webkit-${property}:`);
      if (newerCss.property(property, isPrefixed)) yield property;
      if (property === 'content' && value.includes('/')) yield 'content: alternative text';
      for (const [, word = '', call] of value.matchAll(/([a-z][\w-]*)(\(?)/g)) {
        if (call ? newerCss.function(word) : newerCss.value(property, word, isPrefixed))
          yield call ? `${word}()` : `${property}: ${word}`;
      }
    }
  }
}

test('the built files use nothing that the oldest browsers lack', () => {
  const found = new Map<string, string>();
  for (const file of globSync('build/client/assets/*.{js,css}', { cwd: ROOT })) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const newer = file.endsWith('.js') ? newerInScript(text) : newerInStyles(text);
    for (const feature of newer) found.set(feature, path.basename(file));
  }
  const harmless = Object.values(HARMLESS).flat();
  expect(Object.fromEntries([...found].filter(([name]) => !harmless.includes(name)))).toEqual({});
  expect(harmless.filter((name) => !found.has(name))).toEqual([]);
});
