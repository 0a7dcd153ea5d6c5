import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod';
import { isLoopbackHost } from '#server/config/settings.ts';
import registry from '#server/demo/data/registry.json' with { type: 'json' };
import { AppError } from '#server/errors/app-error.ts';
import type { Outbox, OutboxMail } from '#server/mail/outbox.ts';
import { type Html, html } from '#server/markup.ts';

type Entry = (typeof registry)[number];

const entries = new Map(registry.map((entry) => [entry.number, entry]));

/** Lists the fictional clinicians, for use in sign-ups. */
export function listSample() {
  return [...entries.values()].map(({ number, first_name, last_name, state, kind }) => ({
    number,
    first_name,
    last_name,
    state,
    kind,
  }));
}

/**
 * Answers a query for a number like the CMS NPI registry
 * (https://npiregistry.cms.hhs.gov/api-page).
 */
function answerNppes(version: string | undefined, number: string | undefined) {
  if (version !== '2.1') return refusal('version', '19', 'Unsupported Version');
  if (number === undefined) {
    return refusal('', '04', 'No valid search criteria specified');
  }
  if (!/^\d{10}$/.test(number)) return refusal('number', '06', 'NPI must be 10 digits');
  const entry = entries.get(number);
  if (!entry) return { result_count: 0, results: [] };
  if (entry.kind === 'deactivated') {
    const sorry =
      'The provider can no longer use this NPI. Our public registry does not display provider information about NPIs that are not in service.';
    return refusal('number', '15', `CMS deactivated NPI ${number}. ${sorry}`);
  }
  return { result_count: 1, results: [toResult(entry)] };
}

const refusal = (field: string, number: string, description: string) => ({
  Errors: [{ description, field, number }],
});

/** All entries are fictional and have the same date. */
const ENUMERATED = '2020-01-15';
const EPOCH_MS = String(Date.parse(ENUMERATED));

function toResult(entry: Entry) {
  const dates = {
    enumeration_date: ENUMERATED,
    last_updated: ENUMERATED,
    certification_date: ENUMERATED,
    status: 'A',
  };
  const isOrganization = entry.kind === 'organization';
  return {
    created_epoch: EPOCH_MS,
    enumeration_type: isOrganization ? 'NPI-2' : 'NPI-1',
    last_updated_epoch: EPOCH_MS,
    number: entry.number,
    addresses: ['LOCATION', 'MAILING'].map((purpose) => addressOf(entry, purpose)),
    practiceLocations: [],
    basic: isOrganization
      ? { organization_name: upper(entry.organization_name), ...dates }
      : {
          first_name: upper(entry.first_name),
          last_name: upper(entry.last_name),
          credential: entry.credential,
          sole_proprietor: 'NO',
          ...dates,
        },
    taxonomies: [
      {
        code: entry.taxonomy_code,
        taxonomy_group: '',
        desc: entry.taxonomy_desc,
        state: entry.state,
        license: null,
        primary: true,
      },
    ],
    identifiers: [],
    endpoints: [],
    other_names: entry.other_names.map(({ type, first_name, last_name }) => ({
      type,
      code: '1',
      first_name: upper(first_name),
      last_name: upper(last_name),
    })),
  };
}

function addressOf({ city, state }: Entry, purpose: string) {
  return {
    country_code: 'US',
    country_name: 'United States',
    address_purpose: purpose,
    address_type: 'DOM',
    address_1: '1 SAMPLE STREET',
    city: upper(city),
    state,
    postal_code: '000000000',
    telephone_number: '555-555-0100',
  };
}

/** NPPES stores names in capitals and without accents. */
function upper(name: string | null): string | null {
  return name === null ? null : name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
}

/** Allows no scripts. The mail's iframe inherits this, so it does not load remote images either. */
const MAIL_PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders the outbox: a list, and next to it the selected mail or the newest one. */
function mailPage(
  mails: readonly OutboxMail[],
  { id, to }: { id: string | undefined; to: string | undefined },
): string {
  const shown = mails.find((mail) => mail.id === id) ?? mails[0];
  const content = shown
    ? html`<div class="panes">${list(mails, shown, to)}${reader(shown)}</div>`
    : html`<main><p>${to ? `No mail to ${to}.` : 'No mail yet.'}</p></main>`;
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
<p>Mail that Curbside would have sent. It is stored here instead.</p>
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

/** Links in a mail open in a new tab. The frame runs no scripts. */
function reader({ subject, to, sent_at, html: markup, text }: OutboxMail): Html {
  return html`<main>
<h2>${subject}</h2>
<p>To ${to}, ${time(sent_at)}</p>
<iframe title="HTML part: ${subject}" srcdoc="${markup}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h3>Text part</h3>
<pre tabindex="0">
${text}</pre>
</main>`;
}

function time(sentAt: string): Html {
  return html`<time datetime="${sentAt}">${sentAt.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

const MAIL_PAGE_STYLE = html`
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
header, main { padding: 24px; min-width: 0; }
header, nav { border-bottom: 1px solid; }
form { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }
input, button { font: inherit; padding: 8px 12px; min-height: 44px; }
ol { list-style: none; margin: 0; padding: 0; }
li a { display: block; padding: 12px 24px; color: inherit; text-decoration: none; }
li a[aria-current] { box-shadow: inset 3px 0; }
li a > * { display: block; }
iframe { width: 100%; height: 520px; border: 1px solid; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.panes { display: flex; flex-direction: column-reverse; }
@media (width >= 768px) {
  .panes { display: grid; grid-template-columns: minmax(260px, 340px) minmax(0, 1fr); }
  nav { max-height: calc(100vh - 210px); overflow-y: auto; border: 0; border-right: 1px solid; }
}
`;

const MessagesQuery = z.object({ to: z.string().optional() });
const MailQuery = z.object({ id: z.string().optional(), to: z.string().optional() });
const RegistryQuery = z.object({ version: z.string().optional(), number: z.string().optional() });

/** `/dev/…`, only on the embedded default and on loopback: sent mail and a sample NPI registry. */
export function devRoutes({ outbox }: { outbox: Pick<Outbox, 'list'> }): FastifyPluginAsyncZod {
  return async (app) => {
    const config = { access: 'public' } as const;
    const hide = true;

    // A web page could point its own host name at this machine to read this (DNS rebinding).
    app.addHook('onRequest', async (request) => {
      if (!isLoopbackHost(request.hostname)) throw new AppError('not_found');
    });

    app.get(
      '/dev/mail',
      { config, schema: { hide, querystring: MailQuery } },
      async ({ query: { id, to } }, reply) => {
        const mails = await outbox.list(to || undefined);
        reply.header('content-security-policy', MAIL_PAGE_POLICY).type('text/html; charset=utf-8');
        return mailPage(mails, { id, to: to || undefined });
      },
    );

    app.get(
      '/dev/mail/messages',
      { config, schema: { hide, querystring: MessagesQuery } },
      async ({ query: { to } }) => outbox.list(to),
    );

    app.get(
      '/dev/registry',
      { config, schema: { hide, querystring: RegistryQuery } },
      async ({ query: { version, number } }) => answerNppes(version, number),
    );

    app.get('/dev/registry/sample', { config, schema: { hide } }, async () => listSample());
  };
}
