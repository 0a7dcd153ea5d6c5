import { useState } from 'react';
import { logEndpoints } from '#contract/endpoints/office.ts';
import { LOG_EXPORT_MAX } from '#contract/logged-acts.ts';
import { formatCount } from '#web/lib/format.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import type { LogFilters } from './log-filters.tsx';

/** Saves the entries that the filters find, on all pages, as CSV. */
export function LogDownload({ filters }: { filters: LogFilters }) {
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ tone: 'error' | 'info'; text: string }>();
  const download = async () => {
    setBusy(true);
    setSaid(undefined);
    try {
      const { csv, count } = await api.call(logEndpoints.export, { query: filters });
      saveFile(new File([csv], 'curbside-log.csv', { type: 'text/csv' }));
      if (count > LOG_EXPORT_MAX)
        setSaid({ tone: 'info', text: `The file has the newest ${formatCount(LOG_EXPORT_MAX)}.` });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setSaid({ tone: 'error', text: error.message });
    }
    setBusy(false);
  };
  return (
    <div className="mb-6 flex flex-col items-start gap-3 print:hidden">
      <Button variant="secondary" busy={isBusy} onClick={download}>
        Download as CSV
      </Button>
      {said && <Banner tone={said.tone}>{said.text}</Banner>}
    </div>
  );
}
