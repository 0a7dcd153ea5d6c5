import { useState } from 'react';
import type { User } from '#contract/accounts.ts';
import { Button } from '#web/ui/button.tsx';
import { DataExport } from './data-export.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { ProfileSection } from './profile-section.tsx';

/** Takes all that is kept along, or away. */
export function DataSection({ user }: { user: User }) {
  const [isDeleting, setDeleting] = useState(false);

  return (
    <ProfileSection title="Your data">
      <p className="text-ink-soft">
        All that is kept about you, your reviews included, as one file that other programs can read.
      </p>
      <DataExport user={user} />
      <p className="mt-3 text-ink-soft">
        Deleting your account removes your name, addresses and NPI at once. It cannot be undone.
        Only if reviews of yours stay, or after a ban, we keep the NPI, encrypted, so that nobody
        can post under it for a time.
      </p>
      <Button variant="danger" className="self-start" onClick={() => setDeleting(true)}>
        Delete my account
      </Button>
      <DeleteAccountDialog user={user} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </ProfileSection>
  );
}
