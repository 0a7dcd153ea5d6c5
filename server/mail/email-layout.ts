import { type Html, html } from '#server/markup.ts';
import type { MailMessage } from './mailer.ts';

/** The site that links in emails point to. */
export interface Site {
  readonly publicUrl: string;
}

/** A block of an email, as HTML and as plain text. */
interface Block {
  readonly html: Html;
  readonly text: string;
}

export interface Email {
  readonly title: string;
  readonly body: readonly Block[];
  /** The email omits our name, because people other than the recipient may read it. */
  readonly isDiscreet?: boolean;
  /** For recurring email: the URL that stops it. */
  readonly unsubscribeUrl?: string;
}

/**
 * Every email has the same subject and preview. Someone who sees a list of messages (at work, on a
 * locked phone, in a mail server's log) cannot tell a member from a stranger whose address was
 * entered on the site: docs/anonymity.md, "Who learns what".
 */
const SUBJECT = 'About your request';
/** Longer than any mail client's preview, so the preview never shows the body. */
const PREVIEW =
  'Open this message to see the details. We sent it automatically after a request by you or by' +
  ' someone else. If you were not expecting it, please read it anyway to see whether you need to do' +
  ' anything. Please do not reply to this message. Nobody reads replies sent here.';
const IMPRINT = 'Curbside, anonymous workplace reviews by verified physicians.';

/** Line length of the text part, except links (RFC 5322, section 2.1.1: at most 78 characters). */
const TEXT_WIDTH = 76;

/** The site's look (web/styles/tokens.css), without its fonts: an email must load nothing. */
const FONT = 'Georgia, Times New Roman, serif';
const PAPER = '#f8f8f4';
const SUNKEN = '#eff0ea';
const RULE = '#d8dcd4';
const INK = '#17211d';
const MUTED = '#46524c';
const ACCENT = '#0d5c48';
const LARGE = `color:${INK};font-size:17px;line-height:27px`;
const SMALL = `color:${MUTED};font-size:15px;line-height:23px`;
const LINK = `color:${ACCENT};text-decoration-line:underline`;
const BUTTON = `background-color:${ACCENT};border-radius:4px`;
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';

/** Clients without dark mode support use the inline colors. */
const DARK = html`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #111715 !important; }
  .ink { color: #e9ece6 !important; }
  .muted { color: #b9c2bc !important; }
  .link { color: #83cdb1 !important; }
  .code { background-color: #0c110f !important; color: #e9ece6 !important; }
  .action { background-color: #83cdb1 !important; color: #08211a !important; }
  .top { border-color: #83cdb1 !important; }
  .rule { border-color: #2e3733 !important; }
}`;

/** A paragraph, which may end with a link. */
export function paragraph(text: string, link?: { label: string; href: string }): Block {
  const anchor =
    link && html` <a class="link" href="${link.href}" style="${LINK}">${link.label}</a>`;
  return {
    html: html`<p class="ink" style="${LARGE};margin:0 0 16px">${text}${anchor ?? null}</p>`,
    text: wrap(link ? `${text} ${link.label} ${link.href}` : text),
  };
}

/** A paragraph in small print. */
export const note = (text: string): Block => ({
  html: html`<p class="muted" style="${SMALL};margin:0 0 16px">${text}</p>`,
  text: wrap(text),
});

export const code = (digits: string): Block => ({
  html: html`<p class="code" style="background-color:${SUNKEN};border-radius:4px;color:${INK};font-family:${MONOSPACE};font-size:30px;letter-spacing:6px;line-height:40px;margin:0 0 16px;padding:16px 24px">${digits}</p>`,
  text: digits,
});

/**
 * A button, followed by its URL for clients that do not show buttons. Outlook needs the cell
 * padding.
 */
export const action = (label: string, href: string): Block => ({
  html: html`<table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="action" style="${BUTTON};mso-padding-alt:12px 20px"><a class="action" href="${href}" style="${BUTTON};color:#ffffff;display:inline-block;font-size:16px;font-weight:600;line-height:19px;padding:12px 20px;text-decoration:none">${label}</a></td></tr></table>
<p class="muted" style="${SMALL};margin:12px 0 24px"><a class="link" href="${href}" style="${LINK};word-break:break-all">${href}</a></p>`,
  text: href,
});

/**
 * Wraps an email in the layout they all share. The preview is hidden in HTML, and comes first in
 * plain text.
 */
export function mailOf(
  { title, body, isDiscreet = false, unsubscribeUrl }: Email,
  { publicUrl }: Site,
): Omit<MailMessage, 'to'> {
  const stop =
    unsubscribeUrl === undefined
      ? null
      : paragraph('You signed up for this email.', { label: 'Unsubscribe', href: unsubscribeUrl });
  const name = html`<p class="ink" style="color:${INK};font-size:20px;font-weight:600;line-height:28px;margin:0 0 8px">Curbside</p>`;
  const imprint = html`<hr class="rule" style="border:none;border-top:1px solid ${RULE};margin:32px 0 16px;width:100%">
<p class="muted" style="${SMALL};margin:0">${IMPRINT} <a class="link" href="${publicUrl}" style="${LINK}">${publicUrl}</a></p>`;
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light dark">
<title>${SUBJECT}</title>
<style>${DARK}</style>
</head>
<body class="page" style="background-color:${PAPER};margin:0;padding:0">
<table class="page" role="presentation" width="100%" border="0" cellpadding="0" cellspacing="0" style="background-color:${PAPER}"><tr><td style="font-family:${FONT};padding:24px 16px">
<div style="display:none;max-height:0;max-width:0;opacity:0;overflow:hidden">${PREVIEW}</div>
<table role="presentation" align="center" width="100%" border="0" cellpadding="0" cellspacing="0" style="max-width:34em"><tr><td>
${!isDiscreet && name}
<h1 class="ink top" style="border-top:3px solid ${ACCENT};color:${INK};font-size:26px;font-weight:600;line-height:34px;margin:0 0 16px;padding-top:16px">${title}</h1>
${body.map((block) => block.html)}
${stop?.html ?? null}
${!isDiscreet && imprint}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
  const text = [
    wrap(PREVIEW),
    `\n${wrap(title)}`,
    ...body.map((block) => block.text),
    ...(stop ? [stop.text] : []),
    ...(isDiscreet ? [] : ['-'.repeat(TEXT_WIDTH), wrap(`${IMPRINT} ${publicUrl}`)]),
  ];
  return {
    subject: SUBJECT,
    html: String(page),
    text: `${text.join('\n\n')}\n`,
    ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
  };
}

/** Wraps at word boundaries. A word longer than a line, such as a link, gets its own line. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > TEXT_WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
