import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Link,
  Text,
} from '@react-email/components';
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';

/** Where the links of a mail lead. */
export interface Site {
  readonly publicUrl: string;
}

/**
 * The subject of every mail, and what a mailbox shows beside it. They are the same for all, so that
 * whoever sees a list of messages (at work, on a locked phone, in a mail server's log) cannot tell
 * a member from a stranger whose address somebody typed: docs/anonymity.md, "Another user, or a
 * hospital".
 */
export const SUBJECT = 'About your request';
/** Longer than any mailbox shows, so that nothing of what follows is shown with it. */
const PREVIEW =
  'Open this message to see what it is about. It was sent automatically, because of something that' +
  ' you, or someone else, asked for. If you did not expect it, please read it anyway: it says' +
  ' whether there is anything for you to do. Please do not reply: nobody reads the replies.';

const FONT =
  '-apple-system, BlinkMacSystemFont, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif';
const INK = '#18222d';
const MUTED = '#56626e';
const ACCENT = '#0b5c6b';
const RULE = '#d9dfe5';
const CODE_PAPER = '#f2f5f7';

/** For the readers that know dark mode; the others keep the inline colours. */
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page, .page td { background-color: #10161c !important; }
  .ink { color: #e7ecf1 !important; }
  .muted { color: #9fabb7 !important; }
  .link { color: #7cc7d4 !important; }
  .code { background-color: #1c252e !important; color: #e7ecf1 !important; }
  .action { background-color: #7cc7d4 !important; color: #0b1217 !important; }
  .rule { border-color: #2b3641 !important; }
}`;

interface Letter {
  title: string;
  body: ReactNode[];
  /** Somebody else may read it: it does not say who we are. */
  isDiscreet?: boolean;
}

/** The frame of every mail. The text part begins with the preview, the HTML part hides it. */
export function layout(site: Site, { title, body, isDiscreet = false }: Letter): ReactElement {
  const page = { backgroundColor: '#ffffff', fontFamily: FONT, margin: 0, padding: '24px 16px' };
  return createElement(
    Html,
    { lang: 'en' },
    createElement(
      Head,
      null,
      createElement('meta', { name: 'viewport', content: 'width=device-width' }),
      createElement('meta', { name: 'color-scheme', content: 'light dark' }),
      createElement('title', null, SUBJECT),
      createElement('style', null, DARK),
    ),
    createElement(
      Body,
      { className: 'page', style: page },
      createElement('div', { style: hidden }, PREVIEW),
      createElement(
        Container,
        { style: { maxWidth: '34em' } },
        !isDiscreet &&
          createElement(Text, { className: 'muted', style: { ...small, margin: 0 } }, 'Curbside'),
        createElement(Heading, { as: 'h1', className: 'ink', style: heading }, title),
        createElement(Fragment, null, ...body),
        !isDiscreet && imprint(site),
      ),
    ),
  );
}

/** Who we are, under a rule. */
function imprint({ publicUrl }: Site): ReactElement {
  return createElement(
    Fragment,
    null,
    createElement(Hr, { className: 'rule', style: { borderColor: RULE, margin: '32px 0 16px' } }),
    createElement(
      Text,
      { className: 'muted', style: { ...small, margin: 0 } },
      'Curbside, anonymous workplace reviews by verified physicians. ',
      createElement(Link, { className: 'link', href: publicUrl, style: link }, publicUrl),
    ),
  );
}

const hidden = { display: 'none', maxHeight: 0, maxWidth: 0, opacity: 0, overflow: 'hidden' };
const small = { color: MUTED, fontSize: '14px', lineHeight: '22px' };
const heading = {
  color: INK,
  fontSize: '24px',
  fontWeight: 600,
  lineHeight: '32px',
  margin: '8px 0 16px',
};
const link = { color: ACCENT, textDecorationLine: 'underline' };
const bareLink = { ...link, wordBreak: 'break-all' } as const;

/** A paragraph of running text. */
export function paragraph(...children: ReactNode[]): ReactElement {
  const style = { color: INK, fontSize: '16px', lineHeight: '26px', margin: '0 0 16px' };
  return createElement(Text, { className: 'ink', style }, ...children);
}

/** A quieter one, for what follows the matter itself. */
export function note(...children: ReactNode[]): ReactElement {
  const style = { ...small, margin: '0 0 16px' };
  return createElement(Text, { className: 'muted', style }, ...children);
}

/** Digits to be typed somewhere else. */
export function code(digits: string): ReactElement {
  const style = {
    backgroundColor: CODE_PAPER,
    borderRadius: '8px',
    color: INK,
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSize: '30px',
    letterSpacing: '6px',
    lineHeight: '40px',
    margin: '0 0 16px',
    padding: '16px 24px',
  };
  return createElement(Text, { className: 'code', style }, digits);
}

/** The renderer leaves it out of the text part. */
const NOT_IN_TEXT = { 'data-skip-in-text': true };

/** A button, and its address in full: for readers that show none, and in the text part. */
export function action(label: string, href: string): ReactElement {
  const style = {
    backgroundColor: ACCENT,
    borderRadius: '8px',
    color: '#ffffff',
    fontSize: '16px',
    fontWeight: 600,
    padding: '12px 20px',
  };
  return createElement(
    Fragment,
    null,
    createElement(Button, { className: 'action', href, style, ...NOT_IN_TEXT }, label),
    bare(href),
  );
}

function bare(href: string): ReactElement {
  const style = { ...small, margin: '12px 0 24px' };
  const link = createElement(Link, { className: 'link', href, style: bareLink }, href);
  return createElement(Text, { className: 'muted', style }, link);
}

/** A link in running text, told in full in the text part. */
export function textLink(label: string, href: string): ReactElement {
  return createElement(Link, { className: 'link', href, style: link }, label);
}
