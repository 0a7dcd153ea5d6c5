import { OperatorError } from '#server/errors/operator-error.ts';

/** Rows of the real file are a few kilobytes. A longer line means that the file is not CSV. */
const LINE_MAX_BYTES = 256 * 1024;
const LF = 10;
const CR = 13;

export interface Line {
  readonly text: string;
  /** Offset of the next line. */
  readonly end: number;
  /** False for the last line of a file that does not end with a line break. */
  readonly isEnded: boolean;
}

/**
 * Splits a stream into lines, yielding those of each chunk together.
 * @throws OperatorError
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line[], void> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      lines.push({ text: textOf(bytes, start, end), end: offset + end + 1, isEnded: true });
      start = end + 1;
    }
    rest = bytes.subarray(start);
    offset += start;
    if (rest.length > LINE_MAX_BYTES) {
      throw new OperatorError('a line of the file is far too long: it is not a CSV file');
    }
    yield lines;
  }
  if (rest.length > 0) {
    const end = offset + rest.length;
    yield [{ text: textOf(rest, 0, rest.length), end, isEnded: false }];
  }
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end > start && bytes[end - 1] === CR ? end - 1 : end);
}
