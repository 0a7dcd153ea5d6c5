import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Every document for people, as paths from the root. */
export const DOCUMENTS = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).sort();

/** The text of a file, by its path from the root. */
export const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const tokensOf = (file: string) => lexer(read(file));

/** A row's cells as Markdown source, by column name. */
type Row = Readonly<Record<string, string>>;

interface Table {
  /** The nearest heading above it. */
  readonly heading: string;
  readonly rows: readonly Row[];
}

/** The tables of a document, in order. */
export function tablesOf(file: string): Table[] {
  let heading = '';
  return tokensOf(file).flatMap((token) => {
    if (token.type === 'heading') heading = (token as Tokens.Heading).text;
    return token.type === 'table' ? [{ heading, rows: rowsOf(token as Tokens.Table) }] : [];
  });
}

/** The rows of the one table under a heading. */
export function tableUnder(file: string, heading: string): readonly Row[] {
  const tables = tablesOf(file).filter((table) => table.heading === heading);
  const [table] = tables;
  if (!table || tables.length > 1) {
    throw new Error(`${file} has ${tables.length} tables under "${heading}", not one`);
  }
  return table.rows;
}

function rowsOf({ header, rows }: Tokens.Table): Row[] {
  return rows.map((cells) =>
    Object.fromEntries(header.map(({ text }, column) => [text, cells[column]?.text ?? ''])),
  );
}

/** The texts between backticks. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The name in a cell: its first code. */
export const nameIn = (cell = '') => codeIn(cell)[0] ?? '';

interface References {
  /** Inline code. */
  readonly code: string[];
  /** Code blocks. */
  readonly blocks: string[];
  /** Including images. */
  readonly links: string[];
  readonly headings: string[];
  /** The anchors of the headings, as GitHub makes them. */
  readonly anchors: string[];
}

/** A document's references, and its anchors. */
export function referencesOf(file: string): References {
  const found: References = { code: [], blocks: [], links: [], headings: [], anchors: [] };
  walkTokens(tokensOf(file), (token: Token) => {
    if (token.type === 'codespan') found.code.push((token as Tokens.Codespan).text);
    if (token.type === 'code') found.blocks.push((token as Tokens.Code).text);
    if (token.type === 'link' || token.type === 'image') {
      found.links.push((token as Tokens.Link | Tokens.Image).href);
    }
    if (token.type === 'heading') {
      const { text } = token as Tokens.Heading;
      found.headings.push(text);
      found.anchors.push(anchorOf(text));
    }
  });
  return found;
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The text under a heading, up to the next heading. */
export function sectionOf(file: string, heading: string): string {
  const tokens = tokensOf(file);
  const isHeading = (token: Token) => token.type === 'heading';
  const start = tokens.findIndex((token) => token.type === 'heading' && token.text === heading);
  if (start < 0) throw new Error(`${file} has no heading "${heading}"`);
  const rest = tokens.slice(start + 1);
  const end = rest.findIndex(isHeading);
  return rest
    .slice(0, end < 0 ? undefined : end)
    .map(({ raw }) => raw)
    .join('');
}
