import { Download } from 'lucide-react';
import { useState } from 'react';
import type { AccountExport } from '#contract/account-data.ts';
import type { User } from '#contract/accounts.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmedExportForm } from './confirmed-export-form.tsx';
import { asksForPassword, FAILURES } from './failures.ts';
import { useEditing } from './use-editing.ts';
import { useAccountWrite } from './write-account.ts';

/** Downloads all that is kept; asks for the password when the log-in is not fresh. */
export function DataExport({ user }: { user: User }) {
  const [isFailed, setFailed] = useState(false);
  const { mode, setMode, opener } = useEditing();

  const { send, isBusy } = useAccountWrite('export', (outcome) => {
    if ('ok' in outcome) saveAsFile(outcome.ok);
    else if (asksForPassword(outcome.error)) setMode('editing');
    else setFailed(true);
  });

  function download() {
    setFailed(false);
    void send({});
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
      {isFailed && <Banner tone="error">{FAILURES.export}</Banner>}
      <Button
        ref={opener}
        variant="secondary"
        className="self-start"
        busy={isBusy}
        onClick={download}
      >
        {!isBusy && <Download aria-hidden className="size-4" />}
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
