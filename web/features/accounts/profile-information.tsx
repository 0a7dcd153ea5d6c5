import { useId, useState } from 'react';
import type { ProfileUpdateRequest, User } from '#contract/accounts/accounts.ts';
import { EMAIL_UNDO_DAYS } from '#contract/limits.ts';
import { isSameName, personName } from '#contract/person-names.ts';
import type { Doctor } from '#contract/verification/doctors.ts';
import { Form, useTyped } from '#web/form/form.tsx';
import { formatLongDate, maskNpi } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { confirmPassword } from './account-fields.ts';
import { profileWrites } from './account-writes.ts';
import { asksForPassword, profileFailure } from './failures.ts';
import { ProfileSection, useEditing } from './profile-section.tsx';
import { isReadOnly, PostingStatus, VerificationBadge } from './verification/account-status.tsx';

interface ProfileFormProps {
  user: User;
  doctor: Doctor | null;
  onSaved: () => void;
  onCancel: () => void;
}

/** Only the server checks the form. */
function ProfileForm({ user, doctor, onSaved, onCancel }: ProfileFormProps) {
  const noteId = useId();
  const [isConfirming, setConfirming] = useState(false);
  const { send, error } = useWrite(profileWrites, 'update', {
    onDone: onSaved,
    onError: (failed) => asksForPassword(failed) && setConfirming(true),
  });

  return (
    <Form<ProfileUpdateRequest>
      fields={[
        {
          name: 'first_name',
          label: 'First Name',
          value: user.first_name,
          autoComplete: 'given-name',
          takesFocus: true,
          'aria-describedby': noteId,
        },
        {
          name: 'last_name',
          label: 'Last Name',
          value: user.last_name,
          autoComplete: 'family-name',
          'aria-describedby': noteId,
        },
        <NameNote key="note" id={noteId} verified={doctor?.verification.verified_name} />,
        {
          name: 'email',
          label: 'Email Address',
          kind: 'email',
          value: user.email,
          autoComplete: 'email',
          hint: `A new address takes effect once you open the link we send to it. For ${EMAIL_UNDO_DAYS} days after that, a link sent to the old address can undo the change.`,
        },
        isConfirming && confirmPassword(user.email),
      ]}
      action={{ text: 'Save Changes', busyText: 'Saving...' }}
      error={error}
      failure={(failed, isAtField) => {
        if (asksForPassword(failed)) return isConfirming && failed.message;
        return !(isConfirming && isAtField) && profileFailure(failed);
      }}
      onSubmit={({ password, ...changes }) =>
        send({ params: { id: user.id }, body: { ...changes, ...(password && { password }) } })
      }
      onCancel={onCancel}
      form={{ className: 'flex max-w-form flex-col gap-5' }}
    />
  );
}

interface NameNoteProps {
  id: string;
  /** Undefined if no name was verified. */
  verified: Doctor['verification']['verified_name'];
}

/** Warns before saving that the new name ends the verification. */
function NameNote({ id, verified }: NameNoteProps) {
  const { first_name = '', last_name = '' } = useTyped();
  const typed = { first_name, last_name };
  const isIncomplete = Object.values(typed).some((name) => name.trim() === '');
  const endsVerification =
    verified !== undefined && !isIncomplete && !isSameName(personName(verified), personName(typed));
  return (
    <div id={id} className="empty:hidden">
      {endsVerification && (
        <Banner tone="info">
          Your name was verified as {verified.first_name} {verified.last_name}. If you save a name
          that does not match, your account goes back to pending until it is verified again. Until
          then you cannot post reviews.
        </Banner>
      )}
    </div>
  );
}

const NOT_PROVIDED = 'Not provided';

/** Names and email address, to view and edit (docs/product/accounts.md, "My Account"). */
export function ProfileInformation({ user, doctor }: { user: User; doctor: Doctor | null }) {
  const { mode, setMode, opener } = useEditing();

  return (
    <ProfileSection title="Profile Information">
      {mode === 'saved' && <Banner tone="success">Profile updated successfully!</Banner>}
      {mode === 'editing' ? (
        <ProfileForm
          user={user}
          doctor={doctor}
          onSaved={() => setMode('saved')}
          onCancel={() => setMode('canceled')}
        />
      ) : (
        <>
          <Facts
            facts={[
              { term: 'First Name', value: user.first_name || NOT_PROVIDED },
              { term: 'Last Name', value: user.last_name || NOT_PROVIDED },
              {
                term: 'Email Address',
                value: user.email || NOT_PROVIDED,
                note: user.pending_email !== null && (
                  <span>
                    Changes to <strong>{user.pending_email}</strong> once you open the link we sent
                    there. It works for 24 hours.
                  </span>
                ),
              },
            ]}
          />
          <Button
            ref={opener}
            variant="secondary"
            className="self-start"
            onClick={() => setMode('editing')}
          >
            Edit Profile
          </Button>
        </>
      )}
    </ProfileSection>
  );
}

/** What identifies the doctor. Nobody else sees it. */
export function ProfessionalInformation({ doctor }: { doctor: Doctor | null }) {
  return (
    <ProfileSection title="Professional Information">
      <Facts
        facts={[
          {
            term: 'NPI Number (secured)',
            value: maskNpi(doctor?.npi),
            note: 'Used for verification only. Never shown publicly.',
          },
          {
            term: 'Member Since',
            value: doctor ? formatLongDate(doctor.created_at) : 'Not available',
          },
          {
            term: 'Verification',
            value: <VerificationBadge doctor={doctor} />,
            note: (
              <Link to={paths.verificationRequired()} className="prose-link">
                See what we checked
              </Link>
            ),
          },
          {
            term: 'Posting reviews',
            value: doctor?.can_post_reviews ? 'Allowed' : 'Not allowed',
            note: doctor && isReadOnly(doctor) && <PostingStatus doctor={doctor} />,
          },
        ]}
      />
    </ProfileSection>
  );
}
