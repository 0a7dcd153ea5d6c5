import { Download } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ACCOUNT_MESSAGES } from '#contract/accounts/account-rules.ts';
import type { User } from '#contract/accounts/accounts.ts';
import { POSTING_PAUSE_MONTHS } from '#contract/limits.ts';
import {
  AccountDeletionRequest,
  type AccountExport,
  AccountExportRequest,
  REVIEWS_AFTER_DELETION,
} from '#contract/member/account-data.ts';
import { Form } from '#web/form/form.tsx';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { paths } from '#web/lib/paths.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { session } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirmPassword, currentPassword } from './account-fields.ts';
import { profileWrites } from './account-writes.ts';
import { asksForPassword, FAILURES, failureOr } from './failures.ts';
import { ProfileSection, useEditing } from './profile-section.tsx';

interface DeleteAccountDialogProps {
  user: User;
  isOpen: boolean;
  onClose: () => void;
}

const REVIEWS_FIELD: FieldSpec = {
  name: 'reviews',
  label: 'What should happen to your reviews?',
  kind: 'radios',
  options: [
    [
      'keep',
      'Keep them, detached from any account',
      `If you sign up again with your NPI, you can read right away, but you can’t post for ${POSTING_PAUSE_MONTHS} months.`,
    ],
    [
      'delete_gradually',
      'Delete them one by one over the next four weeks',
      'If you sign up again with your NPI, you can read right away, but you can’t post until they are gone.',
    ],
    ['delete', 'Delete them now'],
  ],
  hint: 'Reviews that disappear at the same time can be recognized as the work of one person. Scheduled reviews go live only if you keep your reviews.',
};

const { password } = AccountDeletionRequest.shape;
/** Representatives have no reviews. */
const RepresentativeDeletion = z.strictObject({ password });
const DoctorDeletion = z.strictObject({
  password,
  reviews: z.enum(REVIEWS_AFTER_DELETION, 'Please choose what should happen to your reviews'),
});

function DeleteAccountDialog({ user, isOpen, onClose }: DeleteAccountDialogProps) {
  const navigate = useNavigate();
  const { send, error } = useWrite(profileWrites, 'delete', { onDone: () => void leave() });

  /** Not in the action, because a redirect cannot carry the notice. */
  async function leave() {
    await session.signOut();
    await navigate(paths.login(), { state: { notice: ACCOUNT_MESSAGES.accountDeleted } });
  }

  if (!isOpen) return null;
  return (
    <Form<Pick<AccountDeletionRequest, 'password'> & Partial<AccountDeletionRequest>>
      dialog={{ title: 'Delete my account' }}
      schema={user.is_representative ? RepresentativeDeletion : DoctorDeletion}
      fields={[
        !user.is_representative && REVIEWS_FIELD,
        currentPassword(user.email, { label: 'Password' }),
      ]}
      action={{ text: 'Delete account', busyText: 'Deleting...', variant: 'danger' }}
      error={error}
      failure={failureOr(FAILURES.deletion)}
      onSubmit={(body) => send({ body: { reviews: 'delete', ...body } })}
      onCancel={onClose}
    >
      {user.is_representative && (
        <p>
          The employer’s replies stay below the reviews. To remove them, delete them before you
          delete your account.
        </p>
      )}
    </Form>
  );
}

export function DataSection({ user }: { user: User }) {
  const [isDeleting, setDeleting] = useState(false);

  return (
    <ProfileSection title="Your data">
      <p className="text-ink-soft">
        Download everything we store about you (JSON). That includes your reviews.
      </p>
      <DataExport user={user} />
      <p className="mt-3 text-ink-soft">
        Deleting your account removes your name, addresses, and NPI right away. This cannot be
        undone. If any of your reviews stay up, or if you were banned, we keep the NPI in encrypted
        form so that nobody can post under it for a while.
      </p>
      <Button variant="danger" className="self-start" onClick={() => setDeleting(true)}>
        Delete my account
      </Button>
      <DeleteAccountDialog user={user} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </ProfileSection>
  );
}

/** Asks for the password only if the login is too old. */
function DataExport({ user }: { user: User }) {
  const { mode, setMode, opener } = useEditing();

  const { send, isBusy, error } = useWrite(profileWrites, 'export', {
    onDone: saveAsFile,
    onError: (failed) => asksForPassword(failed) && setMode('editing'),
  });

  if (mode === 'editing') {
    return (
      <ConfirmedExportForm
        user={user}
        onExport={(data) => {
          saveAsFile(data);
          setMode('saved');
        }}
        onCancel={() => setMode('canceled')}
      />
    );
  }
  return (
    <>
      {error && !asksForPassword(error) && <Banner tone="error">{FAILURES.export}</Banner>}
      <Button
        ref={opener}
        variant="secondary"
        className="self-start"
        busy={isBusy}
        onClick={() => send({})}
      >
        {!isBusy && <Download aria-hidden className="size-4" />}
        <span>Download my data</span>
      </Button>
    </>
  );
}

interface ConfirmedExportFormProps {
  user: User;
  onExport: (data: AccountExport) => void;
  onCancel: () => void;
}

function ConfirmedExportForm({ user, onExport, onCancel }: ConfirmedExportFormProps) {
  const { send, error } = useWrite(profileWrites, 'exportWithPassword', { onDone: onExport });
  return (
    <Form
      schema={AccountExportRequest}
      fields={[confirmPassword(user.email)]}
      action="Download my data"
      error={error}
      failure={failureOr(FAILURES.export)}
      onSubmit={(body) => send({ body })}
      onCancel={onCancel}
      form={{ className: 'flex max-w-form flex-col gap-5' }}
    />
  );
}

const saveAsFile = (data: AccountExport) =>
  saveFile(
    new File([JSON.stringify(data, null, 2)], `curbside-${data.exported_on}.json`, {
      type: 'application/json',
    }),
  );
