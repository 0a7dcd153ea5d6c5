import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
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
  const page = createElement(
    'html',
    { lang: 'en' },
    createElement(
      'head',
      null,
      createElement('meta', { charSet: 'utf-8' }),
      createElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      createElement('title', null, 'Outbox · Curbside'),
      createElement('style', null, MAIL_PAGE_STYLE),
    ),
    createElement(
      'body',
      null,
      createElement(
        'header',
        null,
        createElement('h1', null, 'Outbox'),
        createElement(
          'p',
          null,
          'Mail that Curbside would have sent. It is kept here, and goes nowhere.',
        ),
        search(to),
      ),
      mails.length === 0
        ? createElement('main', { className: 'empty' }, createElement('p', null, emptyText(to)))
        : createElement('div', { className: 'panes' }, list(mails, shown, to), reader(shown)),
    ),
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

const emptyText = (to: string | undefined) => (to ? `No mail to ${to}.` : 'No mail yet.');

function search(to: string | undefined): ReactNode {
  return createElement(
    'form',
    { method: 'get', action: '/dev/mail', role: 'search' },
    createElement('label', { htmlFor: 'to' }, 'To'),
    createElement('input', {
      id: 'to',
      name: 'to',
      type: 'email',
      defaultValue: to,
      placeholder: 'anyone@example.org',
    }),
    createElement('button', { type: 'submit' }, 'Show'),
    createElement('a', { href: '/dev/mail' }, 'All mail'),
  );
}

function list(
  mails: readonly OutboxMail[],
  shown: OutboxMail | undefined,
  to: string | undefined,
): ReactNode {
  const items = mails.map((mail) => {
    const query = new URLSearchParams({ id: mail.id, ...(to !== undefined && { to }) });
    return createElement(
      'li',
      { key: mail.id },
      createElement(
        'a',
        {
          href: `/dev/mail?${query}`,
          'aria-current': mail.id === shown?.id ? 'page' : undefined,
        },
        createElement('strong', null, mail.subject),
        createElement('span', null, mail.to),
        time(mail.sent_at),
      ),
    );
  });
  return createElement('nav', { 'aria-label': 'Mail' }, createElement('ol', null, items));
}

function reader(mail: OutboxMail | undefined): ReactNode {
  if (!mail) return null;
  return createElement(
    'main',
    null,
    createElement('h2', null, mail.subject),
    createElement('p', { className: 'about' }, `To ${mail.to}, `, time(mail.sent_at)),
    createElement('iframe', {
      title: `HTML part: ${mail.subject}`,
      srcDoc: mail.html,
      // Links open in a new tab. Everything else stays inside the frame, and scripts do not run.
      sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    }),
    createElement('h3', null, 'Text part'),
    createElement('pre', { tabIndex: 0 }, mail.text),
  );
}

function time(sentAt: string): ReactNode {
  return createElement(
    'time',
    { dateTime: sentAt },
    `${sentAt.slice(0, 19).replace('T', ' ')} UTC`,
  );
}
