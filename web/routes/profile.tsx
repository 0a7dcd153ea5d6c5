import { useState } from 'react';
import { ACCOUNT_MESSAGES, PASSWORD_RULES } from '#contract/accounts/account-rules.ts';
import { PASSWORDS_DIFFER, PasswordChangeRequest, type User } from '#contract/accounts/accounts.ts';
import { currentPassword, newPassword } from '#web/features/accounts/account-fields.ts';
import { profileWrites } from '#web/features/accounts/account-writes.ts';
import { DataSection } from '#web/features/accounts/data-section.tsx';
import { FAILURES } from '#web/features/accounts/failures.ts';
import {
  ProfessionalInformation,
  ProfileInformation,
} from '#web/features/accounts/profile-information.tsx';
import { ProfileSection, useEditing } from '#web/features/accounts/profile-section.tsx';
import { LockSection } from '#web/features/accounts/review-lock/lock-section.tsx';
import { loadReviewLock } from '#web/features/accounts/review-lock/review-lock.ts';
import { isReadOnly, PostingStatus } from '#web/features/accounts/verification/account-status.tsx';
import { Form } from '#web/form/form.tsx';
import { requireUser, takePostingRefusal } from '#web/lib/guards.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { session, useSession } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { LoadFailedScreen } from '#web/shell/error-screens.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadingNotice } from '#web/ui/loading.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/profile.ts';

interface ChangePasswordFormProps {
  user: User;
  onChanged: () => void;
  onCancel: () => void;
}

/** Sets a new password, given the current one. The current session and its tokens stay valid. */
function ChangePasswordForm({ user, onChanged, onCancel }: ChangePasswordFormProps) {
  const { send, error } = useWrite(profileWrites, 'changePassword', { onDone: onChanged });
  return (
    <Form
      schema={PasswordChangeRequest}
      fields={[
        currentPassword(user.email, { name: 'current_password', takesFocus: true }),
        ...newPassword(
          'new_password',
          ['New password', 'Confirm new password'],
          PASSWORD_RULES,
          PASSWORDS_DIFFER,
        ),
      ]}
      action={{ text: 'Change password', busyText: 'Changing...' }}
      error={error}
      onSubmit={(body) => send({ body })}
      onCancel={onCancel}
      form={{ className: 'flex max-w-form flex-col gap-5' }}
    >
      <p className="text-sm text-ink-soft">
        You’ll stay signed in here and be signed out everywhere else.
        {user.pending_email !== null && <span> This also cancels your pending email change.</span>}
      </p>
    </Form>
  );
}

function SecuritySection({ user }: { user: User }) {
  const { mode, setMode, opener } = useEditing();
  // A link that was sent before the password changed no longer works.
  const [isOutdated, setOutdated] = useState(false);
  const { send, isBusy, isDone, error } = useWrite(profileWrites, 'sendResetLink');

  function sendLink() {
    setOutdated(false);
    void send({ body: { email: user.email } });
  }

  return (
    <ProfileSection title="Security">
      {mode === 'saved' && <Banner tone="success">{ACCOUNT_MESSAGES.passwordChanged}</Banner>}
      {isDone && !isOutdated && (
        <Banner tone="success">
          Password reset email sent! Check your inbox for instructions.
        </Banner>
      )}
      {error && !isOutdated && <Banner tone="error">{FAILURES.profileReset}</Banner>}
      <div className="grid gap-6 sm:grid-cols-2">
        <div>
          <Button variant="secondary" busy={isBusy} onClick={sendLink} aria-describedby="by-link">
            {isBusy ? 'Sending...' : 'Reset Password'}
          </Button>
          <p id="by-link" className="mt-2 text-sm text-ink-soft">
            We’ll email you a link that works once and signs you out everywhere.
          </p>
        </div>
        {mode !== 'editing' && (
          <div>
            <Button
              ref={opener}
              variant="secondary"
              onClick={() => setMode('editing')}
              aria-describedby="by-password"
            >
              Change password
            </Button>
            <p id="by-password" className="mt-2 text-sm text-ink-soft">
              If you know your current password, you can change it here.
            </p>
          </div>
        )}
      </div>
      {mode === 'editing' && (
        <ChangePasswordForm
          user={user}
          onChanged={() => {
            setOutdated(true);
            setMode('saved');
          }}
          onCancel={() => setMode('canceled')}
        />
      )}
    </ProfileSection>
  );
}

const TITLE = 'My Account';

export const meta = () => pageMeta(TITLE);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { doctor } = await requireUser(request);
  // The registry may have answered in the meantime.
  if (doctor?.verification.status === 'pending') await session.reload();
  return { lock: await loadReviewLock(), wasRefused: takePostingRefusal() };
}

export const clientAction = profileWrites.clientAction;

export default function Profile({ loaderData: { lock, wasRefused } }: Route.ComponentProps) {
  const { user, doctor } = useSession();
  if (user === null) return <LoadingNotice />;
  return (
    <div className="page-width">
      <PageHeading title={TITLE} subtitle="Manage your profile and review settings" />
      {wasRefused && doctor && isReadOnly(doctor) && (
        <Banner tone="info" className="mt-2">
          <PostingStatus doctor={doctor} />
        </Banner>
      )}
      <div className="mt-6">
        <ProfileInformation user={user} doctor={doctor} />
        {!user.is_representative && <ProfessionalInformation doctor={doctor} />}
        <SecuritySection user={user} />
        {!user.is_representative && <LockSection user={user} doctor={doctor} lock={lock} />}
        <DataSection user={user} />
      </div>
    </div>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <LoadFailedScreen title={FAILURES.profileLoad} error={error} />
);
