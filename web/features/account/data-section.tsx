import { Download } from 'lucide-react';
import { useState } from 'react';
import type { AccountExport } from '#contract/account-data.ts';
import type { User } from '#contract/accounts.ts';
import { apiPaths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { FAILURES } from './failures.ts';
import { ProfileSection } from './profile-section.tsx';

type ExportState = 'idle' | 'busy' | 'failed';

/** Takes all that is kept along, or away. */
export function DataSection({ user }: { user: User }) {
  const [exporting, setExporting] = useState<ExportState>('idle');
  const [isDeleting, setDeleting] = useState(false);

  async function download() {
    setExporting('busy');
    try {
      const data = await api.get<AccountExport>(apiPaths.accountExport());
      saveAs(`curbside-${data.exported_on}.json`, data);
      setExporting('idle');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setExporting('failed');
    }
  }

  return (
    <ProfileSection title="Your data">
      <p className="text-ink-soft">
        All that is kept about you, your reviews included, as one file that other programs can read.
      </p>
      {exporting === 'failed' && <Banner tone="error">{FAILURES.export}</Banner>}
      <Button
        variant="secondary"
        className="self-start"
        busy={exporting === 'busy'}
        onClick={download}
      >
        {exporting !== 'busy' && <Download aria-hidden className="size-4" />}
        Download my data
      </Button>
      <p className="mt-3 text-ink-soft">
        Deleting your account removes your name, addresses and NPI at once. It cannot be undone.
      </p>
      <Button variant="danger" className="self-start" onClick={() => setDeleting(true)}>
        Delete my account
      </Button>
      <DeleteAccountDialog user={user} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </ProfileSection>
  );
}

/** Hands a file to the browser's downloads. */
function saveAs(name: string, data: object): void {
  const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
