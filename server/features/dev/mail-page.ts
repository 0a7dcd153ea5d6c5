import { type Html, html } from '#server/html.ts';
import type { OutboxMail } from '#server/mail/outbox.ts';
import { MAIL_PAGE_STYLE } from './mail-page-style.ts';

/** Allows no scripts. The mail's iframe inherits this, so it does not load remote images either. */
export const MAIL_PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders the outbox: a list, and next to it the selected mail or the newest one. */
export function mailPage(
  mails: readonly OutboxMail[],
  { id, to }: { id: string | undefined; to: string | undefined },
): string {
  const shown = mails.find((mail) => mail.id === id) ?? mails[0];
  const content = shown
    ? html`<div class="panes">${list(mails, shown, to)}${reader(shown)}</div>`
    : html`<main class="empty"><p>${to ? `No mail to ${to}.` : 'No mail yet.'}</p></main>`;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outbox · Curbside</title>
<style>${MAIL_PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>Outbox</h1>
<p>Mail that Curbside would have sent. It is kept here, and goes nowhere.</p>
<form method="get" action="/dev/mail" role="search">
<label for="to">To</label>
<input id="to" name="to" type="email" value="${to ?? ''}" placeholder="anyone@example.org">
<button type="submit">Show</button>
<a href="/dev/mail">All mail</a>
</form>
</header>
${content}
</body>
</html>
`);
}

function list(mails: readonly OutboxMail[], shown: OutboxMail, to: string | undefined): Html {
  const items = mails.map((mail) => {
    const query = new URLSearchParams({ id: mail.id, ...(to !== undefined && { to }) });
    return html`<li><a href="/dev/mail?${String(query)}"${mail === shown && html` aria-current="page"`}>
<strong>${mail.subject}</strong><span>${mail.to}</span>${time(mail.sent_at)}</a></li>`;
  });
  return html`<nav aria-label="Mail"><ol>${items}</ol></nav>`;
}

/** Links in a mail open in a tab of their own. The frame runs no script. */
function reader({ subject, to, sent_at, html: markup, text }: OutboxMail): Html {
  return html`<main>
<h2>${subject}</h2>
<p class="about">To ${to}, ${time(sent_at)}</p>
<iframe title="HTML part: ${subject}" srcdoc="${markup}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h3>Text part</h3>
<pre tabindex="0">
${text}</pre>
</main>`;
}

function time(sentAt: string): Html {
  return html`<time datetime="${sentAt}">${sentAt.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
