import { globSync } from 'node:fs';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';
import { codeIn, ROOT, read, tablesOf } from './markdown.ts';

/** The pages that describe the product. */
export const PRODUCT = globSync('docs/{product.md,product/*.md}', { cwd: ROOT }).sort();

/** Columns whose cells are texts of the screens. */
const TEXT_COLUMNS = ['text', 'message'];

/** The name in a cell: its first code. */
export const nameIn = (cell = '') => codeIn(cell)[0] ?? '';

/** The rows under a heading of any of the pages, from tables that have the column. */
export function rowsUnder(heading: string, column: string) {
  const rows = PRODUCT.flatMap(tablesOf)
    .filter((table) => table.heading === heading)
    .flatMap((table) => table.rows)
    .filter((row) => column in row);
  if (rows.length === 0) throw new Error(`no table with "${column}" under "${heading}"`);
  return rows;
}

/** The code in a column under a heading. */
export const codeUnder = (heading: string, column: string) =>
  rowsUnder(heading, column).flatMap((row) => codeIn(row[column] ?? ''));

/** Every text that a page quotes from the screens. */
export function textsOf(file: string): string[] {
  const texts = tablesOf(file)
    .flatMap(({ rows }) => rows)
    .flatMap((row) => TEXT_COLUMNS.map((column) => row[column] ?? ''))
    .filter((cell) => cell !== '' && !/[`[]/.test(cell));
  walkTokens(lexer(read(file)), (token: Token) => {
    if (token.type === 'paragraph') texts.push(...quotesIn(token.text));
    // The text token of a list item contains further tokens; the innermost contain none.
    if (token.type === 'text' && token.tokens) texts.push(...quotesIn(token.text));
    if (token.type === 'table') {
      const cells = (token as Tokens.Table).rows.flat();
      texts.push(...cells.flatMap(({ text }) => quotesIn(text)));
    }
  });
  return [...new Set(texts)];
}

/** The texts in double quotes, outside of code. */
function quotesIn(text: string): string[] {
  const prose = text.replace(/`[^`]*`/g, '').replace(/\s+/g, ' ');
  return [...prose.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote);
}
