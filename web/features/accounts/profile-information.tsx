import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { formatLongDate, maskNpi } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { useEditing } from './editing.tsx';
import { ProfileForm } from './profile-form.tsx';
import { ProfileSection } from './profile-section.tsx';
import { isReadOnly, PostingStatus, VerificationBadge } from './verification/account-status.tsx';

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
