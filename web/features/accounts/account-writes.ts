import type {
  LoginRequest,
  ResetConfirmRequest,
  SignupDetails,
} from '#contract/accounts/accounts.ts';
import type { Input } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { representativeEndpoints } from '#contract/endpoints/replies.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import type { RepresentativeDetails } from '#contract/replies/representatives.ts';
import { api, joined, session } from '#web/lib/session.ts';
import { browserStorage, removeAllDrafts } from '#web/lib/store.ts';
import { call, pageWrites } from '#web/lib/write.ts';

export const loginWrites = pageWrites(
  {
    login: async (body: LoginRequest) =>
      session.signIn(await api.call(sessionEndpoints.login, { body })),
  },
  { revalidates: [] },
);

/** The details of a doctor, or of an employer's representative. */
export type NewAccount = SignupDetails | RepresentativeDetails;

type SignupStep = { action: 'create_account' } | { action: 'verify_otp'; otp_code: string };

const register = (step: SignupStep, details: NewAccount) =>
  'npi' in details
    ? api.call(sessionEndpoints.register, { body: { ...step, ...details } })
    : api.call(representativeEndpoints.register, { body: { ...step, ...details } });

export const signupWrites = pageWrites(
  {
    async sendCode(details: NewAccount) {
      const { message } = await register({ action: 'create_account' }, details);
      return { details, message };
    },
    resendCode: (email: string) =>
      api.call(sessionEndpoints.register, { body: { action: 'resend_otp', email } }),
    async verifyCode({ otp_code, ...details }: NewAccount & { otp_code: string }) {
      const answer = await register({ action: 'verify_otp', otp_code }, details);
      if (!('access' in answer)) return;
      // Before the sign-in, which leaves the page.
      joined.set(true);
      await session.signIn(answer);
    },
  },
  { revalidates: [] },
);

export const forgotPasswordWrites = pageWrites(
  { sendLink: call(accountEndpoints.requestPasswordReset) },
  { revalidates: [] },
);

export const resetPasswordWrites = pageWrites(
  {
    /**
     * Without a recovery code, the user keeps locked reviews only if this browser is still signed
     * in. If the session has ended, nothing is reset, so that the user can read the warning first.
     */
    async reset(body: ResetConfirmRequest): Promise<'done' | 'signed-out'> {
      try {
        if (session.owner() !== null) await api.call(sessionEndpoints.user);
      } catch (error) {
        if (session.owner() !== null) throw error;
        return 'signed-out';
      }
      await api.call(accountEndpoints.resetPassword, { body });
      // The new password has ended every session, including this browser's.
      api.endSession();
      return 'done';
    },
  },
  { revalidates: [] },
);

export const profileWrites = pageWrites(
  {
    async update({ params, body }: Input<typeof accountEndpoints.update>) {
      // Sent unchanged, it must not undo a change that was confirmed in another tab.
      const isKept = body.email === session.get().user?.email;
      const { email } = isKept ? await api.call(sessionEndpoints.user) : body;
      await api.call(accountEndpoints.update, { params, body: { ...body, email } });
      await session.reload();
    },
    changePassword: call(accountEndpoints.changePassword, async () => {
      // It cancels a change of the email address.
      if (session.get().user?.pending_email) await session.reload();
    }),
    sendResetLink: call(accountEndpoints.requestPasswordReset),
    export: call(accountEndpoints.export),
    exportWithPassword: call(accountEndpoints.exportWithPassword),
    // Runs here, because the user may have left the page before the response arrives.
    delete: call(accountEndpoints.delete, () => removeAllDrafts(browserStorage)),
    // These two end every session and start a new one.
    lockReviews: (input: Input<typeof accountEndpoints.lockReviews>) =>
      api.replaceSession(accountEndpoints.lockReviews, input),
    unlockReviews: (input: Input<typeof accountEndpoints.unlockReviews>) =>
      api.replaceSession(accountEndpoints.unlockReviews, input),
  },
  { revalidates: ['lockReviews', 'unlockReviews'] },
);

export const verificationWrites = pageWrites({
  correctName: call(accountEndpoints.update),
  checkRegistry: call(verificationEndpoints.checkRegistry, session.setDoctor),
  orderLetter: call(verificationEndpoints.orderLetter),
  confirmLetter: call(verificationEndpoints.confirmLetter, session.setDoctor),
  mailMailboxCode: call(verificationEndpoints.mailMailboxCode),
  confirmMailbox: call(verificationEndpoints.confirmMailbox, session.setDoctor),
});
