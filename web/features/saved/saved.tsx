import { Bookmark } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  employerAddress,
  type SearchedPage,
  searchAddress,
} from '#contract/saved/saved-address.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { api, session, settledSession } from '#web/lib/session.ts';
import { browserEvents, browserStorage, useStore } from '#web/lib/store.ts';
import { pageWrites } from '#web/lib/write.ts';
import type { Criteria } from '#web/listing/criteria.ts';
import { createBrowserList, createSavedStore } from './saved-store.ts';

/** Shared by everything on the page. */
export const saved = createSavedStore({
  api,
  session,
  settled: settledSession,
  browser: createBrowserList(browserStorage, browserEvents),
  // For the menu, which does without this script (styles/lists.css). Without a count, the property is
  // not set: that would style the whole page again.
  onCount: (count) =>
    globalThis.document?.documentElement.style.setProperty('--saved', count ? `" ${count}"` : ''),
});

export const useSaved = () => useStore(saved, (current) => current);

export const savedWrites = pageWrites({ weeklyMail: saved.setWeeklyMail }, { revalidates: [] });

/** Saves or removes an address. Hidden without script. */
function SaveToggle(props: { address: string; className?: string; children: ReactNode }) {
  const { address, className = 'entry-toggle', children } = props;
  const isOn = useStore(saved, ({ entries }) => entries.includes(address));
  const [failure, setFailure] = useState<string | null>(null);
  return (
    <>
      <button
        type="button"
        aria-pressed={isOn}
        onClick={async () => setFailure(await saved.toggle(address))}
        className={className}
      >
        <Bookmark aria-hidden className="size-4" fill={isOn ? 'currentColor' : 'none'} />
        {children}
      </button>
      {failure && (
        <span role="alert" className="basis-full text-sm text-danger">
          {failure}
        </span>
      )}
    </>
  );
}

interface SaveEmployerProps {
  /** `name` is the displayed name. */
  employer: { id: number; name: string };
  /** Only an icon, unless the page is wide. */
  isSmall?: boolean;
}

export function SaveEmployer({ employer, isSmall = false }: SaveEmployerProps) {
  return (
    <SaveToggle
      address={employerAddress(employer.id)}
      className={isSmall ? 'entry-toggle-small' : 'entry-toggle'}
    >
      <span className={isSmall ? 'max-xl:sr-only' : ''}>Save</span>
      <span className="sr-only"> {employer.name}</span>
    </SaveToggle>
  );
}

/** Saves the search of a list, if there is one, and links to the saved page. */
export function SaveSearch({ page, criteria }: { page: SearchedPage; criteria: Criteria }) {
  const { ordering: _, ...search } = criteria;
  const isSearch = Object.values(search).some(Boolean);
  return (
    <div className="-mt-2 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 pb-3 print:hidden">
      {isSearch && <SaveToggle address={searchAddress(page, search)}>Save this search</SaveToggle>}
      <Link to={paths.saved()} className="prose-link py-1 text-sm">
        Saved
      </Link>
    </div>
  );
}
