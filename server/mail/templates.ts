import { EMAIL_UNDO_DAYS, RESET_TTL_MS } from '#contract/limits.ts';
import { action, code, type Letter, note, paragraph, type Site } from './letter.ts';

type None = Readonly<Record<string, never>>;

/** The weekly mail about what an account saved. */
export interface SavedNews {
  /** 'November 16 to 22'. */
  readonly week: string;
  /** Titles and paths of employers and searches, and what is new about each. */
  readonly news: readonly {
    readonly title: string;
    readonly about: string;
    readonly path: string;
  }[];
  readonly unsubscribeUrl: string;
}

const RESET_HOURS = RESET_TTL_MS / 3_600_000;

const validity = (minutes: number) =>
  `It is valid for ${minutes} minutes, and a newer code replaces it.`;

/** Every mail that the site sends. */
export const MAIL_TEMPLATES = {
  /** The code that completes signing up. */
  'signup-code': (props: { readonly code: string; readonly minutes: number }): Letter => ({
    title: 'Your verification code',
    body: [
      paragraph('Enter this code to finish signing up:'),
      code(props.code),
      paragraph(validity(props.minutes)),
      note(
        'If you did not sign up for Curbside, ignore this mail: no account is created without' +
          ' the code. Nobody at Curbside will ever ask you for it.',
      ),
    ],
  }),

  /** Tells the owner of an account that it exists. The sign-up form tells nobody. */
  'signup-attempted'(
    { what }: { readonly what: 'email' | 'former-email' },
    { publicUrl }: Site,
  ): Letter {
    const events = {
      email:
        'Someone, perhaps you, tried to sign up for Curbside with this email address. It already' +
        ' has an account, so nothing was created and nothing has changed.',
      'former-email':
        'Someone, perhaps you, tried to use this email address for Curbside. Your account had it' +
        ' until a few days ago, so nothing was created and nothing has changed. If you did not' +
        ' change the address of your account, open the link in the mail that we sent you about' +
        ' the change.',
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
        note('If it was not you, there is nothing to do. They were not told that you are here.'),
      ],
    };
  },

  /** Tells someone who requested a new code that there is no longer a sign-up to use it for. */
  'signup-over': (_: None, { publicUrl }: Site): Letter => ({
    title: 'Please sign up again',
    body: [
      paragraph(
        'Someone, perhaps you, asked for a new sign-up code for this email address. There is no' +
          ' sign-up waiting for one. It may have expired.',
      ),
      paragraph('If it was you, start again:'),
      action('Sign up', `${publicUrl}/signup`),
      note('If it was not you, there is nothing to do.'),
    ],
  }),

  /** The code for an institution's mailbox. Its mail system may read it: it does not say why. */
  'mailbox-code': (props: { readonly code: string; readonly minutes: number }): Letter => ({
    title: 'Your code',
    isDiscreet: true,
    body: [
      paragraph('Enter this code to continue:'),
      code(props.code),
      paragraph(validity(props.minutes)),
      note(
        'If you did not ask for it, ignore this mail: nothing happens without the code. Nobody' +
          ' will ever ask you for it.',
      ),
    ],
  }),

  /** The link that sets a new password. */
  'password-reset': ({ link }: { readonly link: string }): Letter => ({
    title: 'Choose a new password',
    body: [
      paragraph(
        'Someone, perhaps you, asked for a new password for your account. Open this link to' +
          ` choose one. It works once, within ${RESET_HOURS} hours.`,
      ),
      action('Choose a new password', link),
      note('If it was not you, ignore this mail: your password stays as it is.'),
    ],
  }),

  /** Sent after the change, so the owner notices if someone else made it. */
  'password-changed': (_: None, { publicUrl }: Site): Letter => ({
    title: 'Your password was changed',
    body: [
      paragraph(
        'The password of your account was changed, and every device that was signed in has been' +
          ' signed out. If it was you, there is nothing to do.',
      ),
      paragraph('If it was not you, choose a new password now:'),
      action('Reset your password', `${publicUrl}/forgot-password`),
    ],
  }),

  /** To the new address. The change takes effect when the link is opened. */
  'email-change-confirm': ({
    link,
    newEmail,
  }: {
    readonly link: string;
    readonly newEmail: string;
  }): Letter => ({
    title: 'Confirm your new email address',
    body: [
      paragraph(
        `Open this link to make ${newEmail} the email address of your account. It works once,` +
          ' within 24 hours. Until then your old address stays in use.',
      ),
      action('Confirm this address', link),
      note('If you did not ask for this, ignore this mail: nothing changes.'),
    ],
  }),

  /** To the old address, with a link that stops or undoes the change. `newEmail` is masked. */
  'email-change-notice': ({
    undoLink,
    newEmail,
  }: {
    readonly undoLink: string;
    readonly newEmail: string;
  }): Letter => ({
    title: 'Your email address is about to change',
    body: [
      paragraph(
        `Someone, perhaps you, asked to change the email address of your account to ${newEmail}.` +
          ' It changes when the link that was sent there is opened. If it was you, there is' +
          ' nothing to do here.',
      ),
      paragraph('If it was not you, open this link:'),
      action('Keep my address', undoLink),
      paragraph(
        'It stops the change. If the change has already happened, the link undoes it, for' +
          ` ${EMAIL_UNDO_DAYS} days. Either way it signs out every device.`,
      ),
      note('Then choose a new password: someone else may know the one you have.'),
    ],
  }),

  /** To the address that an account lost when its owner undid a change. */
  'email-change-undone': (_: None): Letter => ({
    title: 'A change of your email address was undone',
    body: [
      paragraph(
        'Someone opened the link that we sent to the previous email address of your account.' +
          ' The account uses that address again, and every device has been signed out.',
      ),
      note('To use this address, log in and change the address again.'),
    ],
  }),

  /** Weekly, for members who turned it on. It is sent even if nothing is new. */
  'saved-news'({ week, news, unsubscribeUrl }: SavedNews, { publicUrl }: Site): Letter {
    const items = news.map(({ title, about, path }) =>
      paragraph(`${title}: ${about}.`, { label: 'Open', href: publicUrl + path }),
    );
    return {
      title: `New in what you saved, ${week}`,
      body: [
        ...(items.length > 0 ? items : [paragraph('Nothing is new this week.')]),
        paragraph('To change what you save:', { label: 'Saved', href: `${publicUrl}/saved` }),
        note(
          'This email comes every week, even if nothing is new. So its arrival shows nobody what' +
            ' you save.',
        ),
      ],
      unsubscribeUrl,
    };
  },

  /** The doctor is verified and can post reviews. */
  verified: (_: None, { publicUrl }: Site): Letter => ({
    title: 'You are verified',
    body: [
      paragraph(
        'Your credentials have been verified. You can now review the places where you have' +
          ' trained and worked, and help colleagues decide where to practice.',
      ),
      action('Write a review', `${publicUrl}/create-review`),
      note('Your name is never shown on a review.'),
    ],
  }),

  /** Someone else has proven to hold the NPI, and this account's NPI was only matched. */
  'verification-lost': (_: None, { publicUrl }: Site): Letter => ({
    title: 'Please prove your NPI',
    body: [
      paragraph(
        'Someone else has proven to hold the NPI of your account. Yours was only matched with the' +
          ' public registry, so it is no longer verified. If the NPI is yours, you can prove it' +
          ' too, within 30 days.',
      ),
      action('See what to do', `${publicUrl}/verification-required`),
      note('Your reviews stay as they are for now. After that time, a moderator looks at each.'),
    ],
  }),
} as const;
