import { Link } from 'react-router';
import type { Doctor } from '#contract/doctors.ts';
import { formatLongDate, maskNpi } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { Facts, ProfileSection } from './profile-section.tsx';
import { isReadOnly, PostingStatus } from './verification/posting-status.tsx';
import { VerificationBadge } from './verification/verification-badge.tsx';

/** What identifies the doctor; nothing of it is ever shown to others. */
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
                What was checked
              </Link>
            ),
          },
          {
            term: 'Posting reviews',
            value: doctor?.can_post_reviews ? 'Permitted' : 'Not permitted',
            note: doctor && isReadOnly(doctor) && <PostingStatus doctor={doctor} />,
          },
        ]}
      />
    </ProfileSection>
  );
}
