import { useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ProfileUpdateRequest, User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { EMAIL_UNDO_DAYS } from '#contract/limits.ts';
import { isSameName, personName } from '#contract/person-names.ts';
import { formatLongDate, maskNpi } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { profileWrites } from './account-writes.ts';
import { EditingButtons, useEditing } from './editing.tsx';
import { asksForPassword, profileFailure, showFailure } from './failures.ts';
import { ConfirmPasswordField } from './password-fields.tsx';
import { ProfileSection } from './profile-section.tsx';
import { isReadOnly, PostingStatus, VerificationBadge } from './verification/account-status.tsx';

const NAMES = [
  { name: 'first_name', label: 'First Name', autoComplete: 'given-name' },
  { name: 'last_name', label: 'Last Name', autoComplete: 'family-name' },
] as const;

interface ProfileFormProps {
  user: User;
  doctor: Doctor | null;
  onSaved: () => void;
  onCancel: () => void;
}

/** The browser checks the format of the email address. The server checks everything else. */
function ProfileForm({ user, doctor, onSaved, onCancel }: ProfileFormProps) {
  const noteId = useId();
  const [isConfirming, setConfirming] = useState(false);
  const { register, handleSubmit, setError, setFocus, watch, formState } =
    useForm<ProfileUpdateRequest>({
      defaultValues: {
        first_name: user.first_name,
        last_name: user.last_name,
        email: user.email,
      },
    });
  const { errors } = formState;
  const [first_name = '', last_name = ''] = watch(['first_name', 'last_name']);

  useEffect(() => setFocus(isConfirming ? 'password' : 'first_name'), [isConfirming, setFocus]);

  const { send, isBusy } = useWrite(profileWrites, 'update', {
    onDone: onSaved,
    onError(error) {
      if (!asksForPassword(error)) {
        showFailure(setError, error, ['password'], profileFailure(error));
      } else if (isConfirming) setFocus('password');
      else setConfirming(true);
    },
  });
  const save = handleSubmit(({ password, ...changes }) =>
    send({ params: { id: user.id }, body: { ...changes, ...(password && { password }) } }),
  );

  return (
    <form method="post" onSubmit={save} className="flex max-w-form flex-col gap-5">
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      {NAMES.map(({ name, label, autoComplete }) => (
        <Field key={name} label={label}>
          {(control) => (
            <TextInput
              {...control}
              aria-describedby={noteId}
              {...register(name)}
              autoComplete={autoComplete}
            />
          )}
        </Field>
      ))}
      <NameNote
        id={noteId}
        verified={doctor?.verification.verified_name}
        typed={{ first_name, last_name }}
      />
      <Field
        label="Email Address"
        hint={`A new address takes effect once you open the link we send to it. For ${EMAIL_UNDO_DAYS} days after that, a link sent to the old address can undo the change.`}
      >
        {(control) => (
          <TextInput {...control} {...register('email')} type="email" autoComplete="email" />
        )}
      </Field>
      {isConfirming && (
        <ConfirmPasswordField
          email={user.email}
          error={errors.password?.message}
          {...register('password')}
        />
      )}
      <EditingButtons isBusy={isBusy} onCancel={onCancel}>
        {isBusy ? 'Saving...' : 'Save Changes'}
      </EditingButtons>
    </form>
  );
}

interface NameNoteProps {
  id: string;
  /** Undefined if no name was verified. */
  verified: Doctor['verification']['verified_name'];
  typed: { first_name: string; last_name: string };
}

/** Warns before saving that the new name ends the verification. */
function NameNote({ id, verified, typed }: NameNoteProps) {
  const isIncomplete = [typed.first_name, typed.last_name].some((name) => name.trim() === '');
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
