import { CASE_KINDS, CASE_OVERDUE_DAYS, type CaseKind } from '#contract/cases.ts';
import { EMAIL_UNDO_DAYS, RESET_TTL_MS } from '#contract/limits.ts';
import { ROLES, type Role } from '#contract/staff-roles.ts';
import {
  PROOF_TEXTS,
  type ProofRequest,
  REFUSALS,
  type Refusal,
} from '#contract/verification/proof-requests.ts';
import { longDay } from '#server/anonymity/coarse-time.ts';
import { action, code, type Email, mailOf, note, paragraph, type Site } from './email-layout.ts';
import type { MailMessage } from './mailer.ts';

type None = Readonly<Record<string, never>>;

/** The weekly email about what an account has saved. */
export interface SavedNews {
  /** 'November 16 to November 22'. */
  readonly week: string;
  /** One entry per saved employer or search that has news. */
  readonly news: readonly {
    readonly title: string;
    readonly about: string;
    readonly path: string;
  }[];
  readonly unsubscribeUrl: string;
}

/** The daily email about what waits in the office. */
export interface StaffDigest {
  readonly day: string;
  /** By kind, without kinds of which none waits. */
  readonly waiting: readonly { readonly kind: CaseKind; readonly count: number }[];
  readonly overdue: number;
  readonly emptyRoles: readonly Role[];
}

const FACTOR_CHANGES = {
  'set-up': 'a second factor was set up for your account.',
  replaced:
    'the second factor of your account was replaced. The earlier one, and its recovery codes, no' +
    ' longer work.',
  removed: 'the second factor of your account was removed.',
  reset: 'the second factor of your account was reset, so it has none until you set one up.',
};

/** What changed for a staff member. Without roles, the member was dismissed. */
export type StaffChange =
  | { readonly roles: readonly Role[] }
  | { readonly factor: keyof typeof FACTOR_CHANGES };

const RESET_HOURS = RESET_TTL_MS / 3_600_000;

const validity = (minutes: number) =>
  `It expires in ${minutes} minutes, or when you request a new one.`;

export const MAIL_TEMPLATES = {
  /** The code that completes a sign-up. */
  'signup-code': (props: { readonly code: string; readonly minutes: number }): Email => ({
    title: 'Your verification code',
    body: [
      code(props.code),
      paragraph(`Enter this code to finish signing up. ${validity(props.minutes)}`),
      note(
        'If you did not sign up for Curbside, ignore this email. Nobody can create an account' +
          ' without the code, and nobody at Curbside will ever ask you for it.',
      ),
    ],
  }),

  /**
   * Tells the account owner about the attempt. The sign-up form does not reveal that the account
   * exists.
   */
  'signup-attempted'(
    { what }: { readonly what: 'email' | 'former-email' },
    { publicUrl }: Site,
  ): Email {
    const events = {
      email:
        'Someone, maybe you, tried to sign up for Curbside with this email address. It already' +
        ' has an account, so nothing was created and nothing has changed.',
      'former-email':
        'Someone, maybe you, tried to use this email address for Curbside. It belonged to your' +
        ' account until a few days ago, so nothing was created and nothing has changed. If you' +
        ' did not change your address, open the link in the email that we sent you about the' +
        ' change.',
    };
    return {
      title: 'You already have an account',
      body: [
        paragraph(events[what]),
        paragraph('If it was you, log in:'),
        action('Log in', `${publicUrl}/login`),
        paragraph('Forgot your password?', {
          label: 'Choose a new one',
          href: `${publicUrl}/forgot-password`,
        }),
        note(
          'If it was not you, you can ignore this email. We did not tell them that you have an account.',
        ),
      ],
    };
  },

  /** Sent instead of a new code if the sign-up no longer exists. */
  'signup-over': (_: None, { publicUrl }: Site): Email => ({
    title: 'Please sign up again',
    body: [
      paragraph(
        'Someone, maybe you, asked for a new sign-up code for this email address. We have no' +
          ' pending sign-up for it. It may have expired.',
      ),
      paragraph('If it was you, start again:'),
      action('Sign up', `${publicUrl}/signup`),
      note('If it was not you, you can ignore this email.'),
    ],
  }),

  /**
   * The code for an institution's mailbox. It does not mention its purpose, because the
   * institution's mail system may read it.
   */
  'mailbox-code': (props: { readonly code: string; readonly minutes: number }): Email => ({
    title: 'Your code',
    isDiscreet: true,
    body: [
      code(props.code),
      paragraph(`Enter this code to continue. ${validity(props.minutes)}`),
      note(
        'If you did not request it, ignore this email. Nothing happens without the code. Nobody' +
          ' will ever ask you for it.',
      ),
    ],
  }),

  /** The link that sets a new password. */
  'password-reset': ({ link }: { readonly link: string }): Email => ({
    title: 'Choose a new password',
    body: [
      paragraph(
        'Someone, maybe you, asked to reset the password of your account. Open this link to' +
          ` choose a new one. It works once and expires in ${RESET_HOURS} hours.`,
      ),
      action('Choose a new password', link),
      note('If it was not you, ignore this email. Your password will not change.'),
    ],
  }),

  /** Sent after the change, in case someone other than the owner made it. */
  'password-changed': (_: None, { publicUrl }: Site): Email => ({
    title: 'Your password was changed',
    body: [
      paragraph(
        'Your password was changed, and every device has been signed out. If it was you, there' +
          ' is nothing else to do.',
      ),
      paragraph('If it was not you, choose a new password now:'),
      action('Reset your password', `${publicUrl}/forgot-password`),
    ],
  }),

  /** Sent after the change, which the staff member may not have made. Does not say who did. */
  'staff-changed'(
    { change, day }: { readonly change: StaffChange; readonly day: string },
    { publicUrl }: Site,
  ): Email {
    const isFactor = 'factor' in change;
    return {
      title: isFactor ? 'Your second factor was changed' : 'Your roles were changed',
      body: [
        paragraph(
          `On ${longDay(day)} (UTC), ${isFactor ? FACTOR_CHANGES[change.factor] : rolesText(change.roles)}` +
            ' If you expected this, there is nothing else to do.',
        ),
        paragraph(
          'If you did not, tell an owner of the office, and choose a new password if someone else' +
            ' may know yours:',
        ),
        action('Reset your password', `${publicUrl}/forgot-password`),
      ],
    };
  },

  /** Sent daily to staff who turned it on. Numbers alone: a mailbox is not the office. */
  'staff-digest'({ day, waiting, overdue, emptyRoles }: StaffDigest, { publicUrl }: Site): Email {
    const total = waiting.reduce((sum, { count }) => sum + count, 0);
    const cases =
      total === 0 ? 'no cases wait' : total === 1 ? '1 case waits' : `${total} cases wait`;
    return {
      title: 'What waits in the office',
      body: [
        paragraph(`On ${longDay(day)} (UTC), ${cases} for you.`),
        ...waiting.map(({ kind, count }) => paragraph(`${CASE_KINDS[kind]}: ${count}`)),
        ...(overdue > 0
          ? [
              paragraph(
                `Overdue, after more than ${CASE_OVERDUE_DAYS} days or past the due date: ${overdue}`,
              ),
            ]
          : []),
        ...emptyRoles.map((role) => paragraph(`Nobody is a ${ROLES[role].toLowerCase()}.`)),
        action('Open the office', `${publicUrl}/admin`),
        paragraph('You turned this daily email on. To turn it off:', {
          label: 'Office security',
          href: `${publicUrl}/admin/security`,
        }),
      ],
    };
  },

  /** To the new address. The change takes effect when it is confirmed on the link's page. */
  'email-change-confirm': ({
    link,
    newEmail,
  }: {
    readonly link: string;
    readonly newEmail: string;
  }): Email => ({
    title: 'Confirm your new email address',
    body: [
      paragraph(
        `Open this link to make ${newEmail} the email address of your account. It works once` +
          ' and expires in 24 hours. Until you confirm there, we keep using your old address.',
      ),
      action('Confirm this address', link),
      note('If you did not ask for this, ignore this email. Nothing will change.'),
    ],
  }),

  /** To the old address, with a link that stops or undoes the change. `newEmail` is masked. */
  'email-change-notice': ({
    undoLink,
    newEmail,
  }: {
    readonly undoLink: string;
    readonly newEmail: string;
  }): Email => ({
    title: 'Your email address is about to change',
    body: [
      paragraph(
        `Someone, maybe you, asked to change the email address of your account to ${newEmail}.` +
          ' The change takes effect when it is confirmed with the link that we sent there. If it was' +
          ' you, you do not need to do anything.',
      ),
      paragraph('If it was not you, open this link, and press its button:'),
      action('Keep my address', undoLink),
      paragraph(
        'It stops the change. If the change has already been made, the link undoes it for up to' +
          ` ${EMAIL_UNDO_DAYS} days. Either way, it signs out every device.`,
      ),
      note('Then choose a new password, because someone else may know your current one.'),
    ],
  }),

  /** To the address that an account lost when its owner undid a change. */
  'email-change-undone': (_: None): Email => ({
    title: 'Your email address was changed back',
    body: [
      paragraph(
        'Someone opened the link that we sent to the previous email address of your account.' +
          ' The account uses that address again, and every device has been signed out.',
      ),
      note('If you want to use this address after all, log in and change it again.'),
    ],
  }),

  /** Sent weekly to accounts that turned it on, even if nothing is new. */
  'saved-news'({ week, news, unsubscribeUrl }: SavedNews, { publicUrl }: Site): Email {
    const items = news.map(({ title, about, path }) =>
      paragraph(`${title}: ${about}.`, { label: 'Open', href: publicUrl + path }),
    );
    return {
      title: `What is new in your saved list, ${week}`,
      body: [
        ...(items.length > 0 ? items : [paragraph('Nothing is new this week.')]),
        paragraph('Change what you follow:', { label: 'Saved', href: `${publicUrl}/saved` }),
        note(
          'We send this email every week, even if nothing is new, so its arrival does not reveal' +
            ' anything about what you saved.',
        ),
      ],
      unsubscribeUrl,
    };
  },

  verified: (_: None, { publicUrl }: Site): Email => ({
    title: 'You are verified',
    body: [
      paragraph(
        'We have verified your credentials. You can now review the places where you have' +
          ' trained and worked, and help colleagues decide where to practice.',
      ),
      action('Write a review', `${publicUrl}/create-review`),
      note('Your name is never shown on a review.'),
    ],
  }),

  /**
   * After any proof, whether it verified the account or waits: whoever runs the mailbox must not
   * learn the outcome.
   */
  'proof-recorded': (_: None, { publicUrl }: Site): Email => ({
    title: 'Your proof is recorded',
    body: [
      paragraph(
        'We have recorded the proof that you gave for your account. Log in to see the state of your' +
          ' account. If an administrator has to confirm the proof, that can take a few days.',
      ),
      action('See the state of your account', `${publicUrl}/verification-required`),
    ],
  }),

  /** An administrator decided not to verify the account. The same if another account has the NPI. */
  refused: ({ reason }: { readonly reason: Refusal }, { publicUrl }: Site): Email => ({
    title: 'Your account was not verified',
    body: [
      paragraph(
        `An administrator looked at your account, and decided not to verify it. ${REFUSALS[reason]}`,
      ),
      paragraph(
        'If you think that this is a mistake, you can object. The page about your account says how.',
      ),
      action('See the state of your account', `${publicUrl}/verification-required`),
      note('Your reviews stay as they are.'),
    ],
  }),

  /** An administrator asks for something. The same if another account has the NPI. */
  'proof-asked': (
    { request, isDoctor }: { readonly request: ProofRequest; readonly isDoctor: boolean },
    { publicUrl }: Site,
  ): Email => ({
    title: 'We need something from you',
    body: [
      paragraph(
        `We looked at your account, and cannot confirm it yet. ${PROOF_TEXTS[request].text}`,
      ),
      paragraph('We look again once you have done so. The page about your account says the same.'),
      action(
        'See the state of your account',
        `${publicUrl}/${isDoctor ? 'verification-required' : 'represent'}`,
      ),
    ],
  }),

  /** Someone else proved that the NPI is theirs. */
  'verification-lost': (_: None, { publicUrl }: Site): Email => ({
    title: 'Please prove your NPI',
    body: [
      paragraph(
        'Someone else proved that the NPI of your account is theirs, so your account is no longer' +
          ' verified. If the NPI is yours, please prove it.',
      ),
      action('See what to do', `${publicUrl}/verification-required`),
      note('Your reviews stay as they are.'),
    ],
  }),
} as const;

const rolesText = (roles: readonly Role[]) =>
  roles.length === 0
    ? 'you were removed from the staff. Your account stays, without roles and a second factor.'
    : `your roles in the office were changed. You now have: ${roles.map((role) => ROLES[role]).join(', ')}.`;

export type MailTemplate = keyof typeof MAIL_TEMPLATES;
export type MailProps<T extends MailTemplate> = Parameters<(typeof MAIL_TEMPLATES)[T]>[0];

/** The payload of a 'send-mail' job: a template and its props. */
export type MailJob = {
  [T in MailTemplate]: {
    readonly to: string;
    readonly template: T;
    readonly props: MailProps<T>;
    /** Rendered, but not sent. */
    readonly isDiscarded?: boolean;
  };
}[MailTemplate];

export function renderMail<T extends MailTemplate>(
  template: T,
  props: MailProps<T>,
  site: Site,
): Omit<MailMessage, 'to'> {
  const write = MAIL_TEMPLATES[template] as (props: MailProps<T>, site: Site) => Email;
  return mailOf(write(props, site), site);
}
