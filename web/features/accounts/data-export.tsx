import { Download } from 'lucide-react';
import { useState } from 'react';
import type { AccountExport } from '#contract/account-data.ts';
import type { User } from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmedExportForm } from './confirmed-export-form.tsx';
import { asksForPassword, FAILURES } from './failures.ts';
import { useEditing } from './use-editing.ts';

type ExportState = 'idle' | 'busy' | 'failed';

/** Downloads all that is kept; asks for the password when the log-in is not fresh. */
export function DataExport({ user }: { user: User }) {
  const [state, setState] = useState<ExportState>('idle');
  const { mode, setMode, opener } = useEditing();

  async function download() {
    setState('busy');
    try {
      saveAsFile(await api.call(accountEndpoints.export));
      setState('idle');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const needsPassword = asksForPassword(error);
      setState(needsPassword ? 'idle' : 'failed');
      if (needsPassword) setMode('editing');
    }
  }

  if (mode === 'editing') {
    return (
      <ConfirmedExportForm
        user={user}
        onExport={(data) => {
          saveAsFile(data);
          setMode('saved');
        }}
        onCancel={() => setMode('cancelled')}
      />
    );
  }
  return (
    <>
      {state === 'failed' && <Banner tone="error">{FAILURES.export}</Banner>}
      <Button
        ref={opener}
        variant="secondary"
        className="self-start"
        busy={state === 'busy'}
        onClick={download}
      >
        {state !== 'busy' && <Download aria-hidden className="size-4" />}
        Download my data
      </Button>
    </>
  );
}

/** Hands the data to the browser's downloads. */
function saveAsFile(data: AccountExport): void {
  const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `curbside-${data.exported_on}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
