/** The cells of the rows of the table under a heading, without its head. */
export function markdownTable(markdown: string, heading: string): string[][] {
  const section = markdown.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`no heading ${heading}`);
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim()));
}
