import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runCommand } from '#server/cli/run.ts';
import { DOCUMENTS, ROOT, referencesOf } from './markdown.ts';

const FOLDERS = ['.ci', 'bench', 'contract', 'docs', 'e2e', 'ops', 'scripts', 'server', 'web'];
const FILES = globSync([...FOLDERS.map((folder) => `${folder}/**`), '*', '.*'], { cwd: ROOT });
const isPath = (text: string) =>
  FOLDERS.some((folder) => text.startsWith(`${folder}/`)) ||
  // A path that begins with a setting is in one of the operator's folders.
  /^(?![A-Z_]+\/)[\w./-]+\.(?:tsx?|mjs|json|md|sql)$/.test(text);
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

/** A path from the root, or its end: `plugins/access.ts` for `server/plugins/access.ts`. */
const isThere = (named: string) =>
  FILES.some((file) => file === named || file.endsWith(`/${named}`));

const unlinked = (text: string) => text.replace(/[/]$/, '');

/** The commands in a document: `curbside doctors list` -> `doctors list`. */
function commandsIn(texts: readonly string[], pattern: RegExp): string[] {
  return texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
}

/** Whether the command exists, according to its help. */
async function isCommand(words: string): Promise<boolean> {
  const output = new PassThrough();
  const terminal = { input: new PassThrough(), output, errors: new PassThrough() };
  await runCommand([...words.split(' '), '--help'], terminal as never, async () => {});
  // `help` is a built-in command of commander, and prints the program's usage.
  return String(output.read()).startsWith(`Usage: curbside ${words === 'help' ? '' : words}`);
}

describe.each(DOCUMENTS)('%s', (file) => {
  const { code, blocks, links } = referencesOf(file);

  test('every link within the repository has a target', () => {
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [target = '', anchor] = link.split('#');
        const place = target ? path.join(path.dirname(file), target) : file;
        if (!existsSync(path.join(ROOT, place))) return true;
        return anchor !== undefined && !referencesOf(place).anchors.includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test('every file it names exists', () => {
    const named = code.filter((text) => isPath(text) && !/[*{}<>…]/.test(text));
    expect(named.filter((text) => !isThere(unlinked(text)))).toEqual([]);
  });

  test('every command it names exists', async () => {
    const texts = [...code, ...blocks];
    const npm = commandsIn(texts, /\bnpm run (?:-s )?([\w:-]+)/g);
    expect(npm.filter((name) => !(name in scripts))).toEqual([]);
    const ours = commandsIn(texts, /\bcurbside (?:-- )?([a-z]+(?: [a-z-]+)?)\b/g);
    const found = await Promise.all(ours.map(async (words) => (await isCommand(words)) || words));
    expect(found.filter((words) => words !== true)).toEqual([]);
  });
});
