import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ProfileForm } from './profile-form.tsx';
import { Facts, ProfileSection } from './profile-section.tsx';
import { useEditing } from './use-editing.ts';

const NOT_PROVIDED = 'Not provided';

/**
 * Names and address: view, edit, saving, and view again (docs/product/accounts.md, "My Account").
 */
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
          onCancel={() => setMode('cancelled')}
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
                  <>
                    Changes to <strong>{user.pending_email}</strong> once you open the link we sent
                    there. It works for 24 hours.
                  </>
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
