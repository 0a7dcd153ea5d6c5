import { useState } from 'react';
import { logEndpoints } from '#contract/endpoints/office.ts';
import { LOG_EXPORT_MAX } from '#contract/logged-acts.ts';
import { useRequest } from '#web/features/office/use-request.ts';
import { formatCount } from '#web/lib/format.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { api } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import type { LogFilters } from './log-filters.tsx';

/** Saves the entries that the filters find, on all pages, as CSV. */
export function LogDownload({ filters }: { filters: LogFilters }) {
  const [note, setNote] = useState<string>();
  const { run, isBusy, error } = useRequest();
  const download = () =>
    run(async () => {
      setNote(undefined);
      const { csv, count } = await api.call(logEndpoints.export, { query: filters });
      saveFile(new File([csv], 'curbside-log.csv', { type: 'text/csv' }));
      if (count > LOG_EXPORT_MAX)
        setNote(`The file has the newest ${formatCount(LOG_EXPORT_MAX)}.`);
    });
  return (
    <div className="mb-6 flex flex-col items-start gap-3 print:hidden">
      <Button variant="secondary" busy={isBusy} onClick={() => void download()}>
        Download as CSV
      </Button>
      {error && <Banner tone="error">{error}</Banner>}
      {note && <Banner tone="info">{note}</Banner>}
    </div>
  );
}
