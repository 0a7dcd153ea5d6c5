/** Trusted markup. All other values are escaped. */
class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
  toString(): string {
    return this.markup;
  }
}

/** The type without its constructor: only the template tags make trusted markup. */
export type { Html };

type HtmlValue = string | number | Html | readonly Html[] | null | false;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

function markupOf(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(markupOf).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A template tag for HTML. Escapes values for text and quoted attributes. */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(String.raw({ raw: strings }, ...values.map(markupOf)));

export const XML_HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Characters that no XML 1.0 document may have, escaped or not (section 2.2). */
const FORBIDDEN_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

type XmlValue = string | Html | readonly Html[];

/** A template tag for XML. Escapes values, and drops characters that XML forbids. */
export const xml = (strings: TemplateStringsArray, ...values: XmlValue[]): Html =>
  html(
    strings,
    ...values.map((value) =>
      typeof value === 'string' ? value.replace(FORBIDDEN_IN_XML, '') : value,
    ),
  );

/** A whole document, for a route that caches its responses. */
export const xmlDocument = (root: Html): Buffer => Buffer.from(XML_HEADER + root);
