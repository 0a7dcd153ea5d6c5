import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PROOF_TEXTS, REFUSALS } from '#contract/verification/proof-requests.ts';
import { MAIL_TEMPLATES, type MailJob, renderMail } from './templates.ts';

const site = { publicUrl: 'https://curbside.test' };
const HERE = 'https://curbside.test';
const LINK = `${HERE}/password-reset?uidb64=MTIzNDU2Nzg5MDEyMzQ1Njc4OTA&token=c2VjcmV0LXNlY3JldC1zZWNyZXQ&more=1`;
const CODE = { code: '048213', minutes: 10 };
const DAY = '2025-08-12';
const DIGEST = {
  day: DAY,
  waiting: [
    { kind: 'report', count: 4 },
    { kind: 'appeal', count: 1 },
  ],
  overdue: 2,
  emptyRoles: ['verifier'],
} as const;
const CHANGED = { link: LINK, newEmail: "d.o'hara+1@new.test" };
const NOTICE = { undoLink: LINK, newEmail: 'd•••@new.test' };
const ABOUT = '2 new reviews, the newest from November 18';
const NEWS = {
  week: 'November 16 to November 22',
  news: [{ title: 'St. Mary', about: ABOUT, path: '/employers/7' }],
  unsubscribeUrl: `${HERE}/unsubscribe?token=abc`,
};

/** One email per template, and the texts that both parts must contain. */
const MAILS: [Omit<MailJob, 'to'> & Pick<MailJob, 'template'>, ...string[]][] = [
  [{ template: 'signup-code', props: CODE }, '048213', '10 minutes'],
  [
    { template: 'signup-attempted', props: { what: 'email' } },
    ...['email address', `${HERE}/login`, `${HERE}/forgot-password`],
  ],
  [
    { template: 'signup-attempted', props: { what: 'former-email' } },
    ...['until a few days ago', 'the email that we sent you'],
  ],
  [{ template: 'mailbox-code', props: CODE }, '048213', '10 minutes'],
  [{ template: 'signup-over', props: {} }, `${HERE}/signup`],
  [{ template: 'proof-recorded', props: {} }, 'recorded', `${HERE}/verification-required`],
  [
    { template: 'proof-asked', props: { request: 'name', isDoctor: true } },
    PROOF_TEXTS.name.text,
    `${HERE}/verification-required`,
  ],
  [
    { template: 'proof-asked', props: { request: 'role', isDoctor: false } },
    PROOF_TEXTS.role.text,
    `${HERE}/represent`,
  ],
  [{ template: 'refused', props: { reason: 'unproven' } }, 'you can object', REFUSALS.unproven],
  [{ template: 'verification-lost', props: {} }, 'Your reviews stay as they are.'],
  [{ template: 'password-reset', props: { link: LINK } }, LINK, '24 hours'],
  [{ template: 'password-changed', props: {} }, `${HERE}/forgot-password`],
  [
    { template: 'staff-changed', props: { change: { roles: ['moderator', 'curator'] }, day: DAY } },
    ...['On August 12, 2025 (UTC)', 'Moderator, Curator.', `${HERE}/forgot-password`],
  ],
  [
    { template: 'staff-changed', props: { change: { factor: 'reset' }, day: DAY } },
    ...['Your second factor was changed', 'tell an owner'],
  ],
  [
    { template: 'staff-digest', props: DIGEST },
    ...[
      '5 cases wait for you.',
      'Reported review: 4',
      'Appeal: 1',
      'more than 7 days or past the due date: 2',
    ],
    ...['Nobody is a verifier.', `${HERE}/admin`, `${HERE}/admin/security`],
  ],
  [{ template: 'email-change-confirm', props: CHANGED }, LINK, "d.o'hara+1@new.test"],
  [
    { template: 'email-change-notice', props: NOTICE },
    ...[LINK, 'd•••@new.test', '7 days', 'signs out every device'],
  ],
  [{ template: 'email-change-undone', props: {} }, 'previous email address', 'signed out'],
  [
    { template: 'saved-news', props: NEWS },
    ...[NEWS.week, `St. Mary: ${ABOUT}.`, `${HERE}/employers/7`, NEWS.unsubscribeUrl],
  ],
  [{ template: 'verified', props: {} }, `${HERE}/create-review`],
];

const readable = (html: string) =>
  html.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('<!-- -->', '');

test('this file covers every template', () => {
  const templates = new Set(Object.keys(MAIL_TEMPLATES));
  expect(new Set(MAILS.map(([mail]) => mail.template))).toEqual(templates);
});

test.each(MAILS)('$template', ({ template, props }, ...holds) => {
  const { subject, html, text } = renderMail(template, props, site);

  expect(subject).toBe('About your request');
  for (const part of holds) {
    expect(readable(html).replaceAll(/\s+/g, ' ')).toContain(part);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(part);
  }
  for (const line of text.split('\n').filter((line) => !line.includes('://'))) {
    expect(line.length).toBeLessThanOrEqual(78);
  }
  // Opening the email loads nothing, and every link goes to our site.
  expect(html).not.toMatch(/<img|<script|url\(|@import|<link/i);
  for (const [, href] of readable(html).matchAll(/href="([^"]+)"/g)) {
    expect(href).toMatch(/^https:\/\/curbside\.test(\/|$)/);
  }
  expect(html).toContain('lang="en"');
});

/** The most that a mail client shows of an unopened message. */
const SNIPPET_LENGTH = 255;
const TELLING = [
  /curbside/i,
  /review|rating|colleague/i,
  /npi|verif|credential|licen[sc]e/i,
  /doctor|physician|resident|fellow|medic|clinic|hospital|employer|practi[cs]e/i,
  /account|member|password|address|e-?mail/i,
  /sign(ed)?[ -]?(up|in|out)|log(ged)?[ -]?(in|out)|code|link|expire/i,
  /\d|@|https?:/,
];

const textOf = (part: string) =>
  part.replaceAll(/<style.*?<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ');
/** What a list of messages can show next to the subject, from either part. */
const snippetOf = (part: string) => textOf(part).trim().slice(0, SNIPPET_LENGTH);

test('a list of messages shows the same for every email, and nothing about the recipient', () => {
  const shown = new Set<string>();
  for (const [{ template, props }] of MAILS) {
    const { subject, html, text } = renderMail(template, props, site);
    for (const line of [subject, snippetOf(html), snippetOf(text)]) {
      for (const word of TELLING) expect(line, template).not.toMatch(word);
    }
    expect(snippetOf(text)).toHaveLength(SNIPPET_LENGTH);
    shown.add(`${subject}\n${snippetOf(html)}\n${snippetOf(text)}`);
  }
  expect(shown.size).toBe(1);
});

test.each(['signup-code', 'mailbox-code'] as const)('%s: the code comes first', (template) => {
  const { html, text } = renderMail(template, CODE, site);
  const first = /^.* (Your (?:verification )?code) 048213 Enter this code /;
  expect(textOf(html)).toMatch(first);
  expect(textOf(text)).toMatch(first);
});

test('emails have the colors of the site', async () => {
  const tokens = await readFile('web/styles/tokens.css', 'utf8');
  const { html } = renderMail('signup-code', CODE, site);
  for (const [color] of html.matchAll(/#[\da-f]{6}\b/g)) expect(tokens).toContain(color);
});

test("the email to an employer's mailbox does not say who sent it, or why", () => {
  const props = { code: '123456', minutes: 10 };
  const { html, text } = renderMail('mailbox-code', props, site);
  const preview = snippetOf(text);
  for (const part of [html, text]) {
    expect(part).not.toMatch(/curbside/i);
    const telling = /review|rating|npi|verif|doctor|physician|member/i;
    expect(textOf(part).replace(preview, '')).not.toMatch(telling);
  }
});

test('escapes markup in values', () => {
  const props = { link: LINK, newEmail: '"<b>bold</b>"@new.test' };
  const { html } = renderMail('email-change-confirm', props, site);
  expect(html).not.toContain('<b>');
});
