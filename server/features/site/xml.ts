import { type Html, html } from '#server/html.ts';

export const XML_HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Characters that no XML 1.0 document may have, escaped or not (section 2.2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

type Value = string | Html | readonly Html[];

/** A template tag for XML. Escapes values, and drops characters that XML forbids. */
export const xml = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  html(
    strings,
    ...values.map((value) => (typeof value === 'string' ? value.replace(FORBIDDEN, '') : value)),
  );

/** A whole document, for a route that caches its responses. */
export const document = (root: Html): Buffer => Buffer.from(XML_HEADER + root);
