import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LoginRequest, RegisterRequest, SignupDetails } from '#contract/accounts.ts';
import { contractConstants, stringsIn } from './contract.ts';
import { codeIn, ROOT, read } from './markdown.ts';
import { nameIn, PRODUCT, rowsUnder, textsOf } from './product.ts';

/** The texts of screens and server, from their sources, without tags. */
const SOURCES = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !/\.test\.|\/testing[/.]/.test(file))
  .map((file) => read(file).replaceAll("{' '}", ' ').replaceAll('&amp;', '&'))
  .map((source) => source.replaceAll("\\'", "'").replaceAll(/\s+/g, ' '))
  .join('\n');

const PLACEHOLDER = /\{[^}]*\}/;

const contractTexts = async () =>
  (await contractConstants()).flatMap(([, value]) => stringsIn(value));

test.each(PRODUCT)('every text in %s is in the contract or the sources', async (file) => {
  const texts = await contractTexts();
  const isThere = (part: string) => texts.includes(part) || SOURCES.includes(part);
  const isWhole = (text: string) => text.split(PLACEHOLDER).every((part) => isThere(part.trim()));
  expect(textsOf(file).filter((text) => !isWhole(text))).toEqual([]);
});

test('every text and choice in the contract is in these pages', async () => {
  const texts = PRODUCT.flatMap(textsOf);
  const codes = [...PRODUCT, 'docs/verification.md'].flatMap((file) => codeIn(read(file)));
  const patterns = texts
    .filter((text) => PLACEHOLDER.test(text))
    .map((text) => new RegExp(`^${text.split(PLACEHOLDER).map(escaped).join('.+')}$`));
  const isThere = (text: string) =>
    texts.includes(text) || codes.includes(text) || patterns.some((pattern) => pattern.test(text));
  const inCode = await contractTexts();
  expect(inCode.filter((text) => !isThere(text))).toEqual([]);
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The messages that a form shows for one invalid field. */
function messagesFor(field: string, value: unknown): string[] {
  const schemas = [LoginRequest, SignupDetails, RegisterRequest];
  const fields = { action: 'verify_otp', [field]: value };
  const issues = schemas.flatMap((schema) => schema.safeParse(fields).error?.issues ?? []);
  return issues.filter(({ path }) => path[0] === field).map(({ message }) => message);
}

test('a wrong account value gets its documented message', () => {
  const rows = rowsUnder('Account fields', 'wrong value');
  for (const row of rows) {
    const value = JSON.parse(nameIn(row['wrong value']));
    expect(messagesFor(nameIn(row['field']), value)).toContain(row['message']);
  }
});
