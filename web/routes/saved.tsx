import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { SAVED_MAX } from '#contract/limits.ts';
import type { SavedEmployers } from '#contract/saved/saved.ts';
import { parseSaved } from '#contract/saved/saved-address.ts';
import { CompareToggle, CompareTray } from '#web/features/employers/compare/compare-tray.tsx';
import { saved, savedWrites, useSaved } from '#web/features/saved/saved.tsx';
import { SavedEntries } from '#web/features/saved/saved-entries.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { api, settledSession } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { LoadFailedScreen } from '#web/shell/error-screens.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Checkbox } from '#web/ui/inputs.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/saved.ts';

/** Turns the weekly email on or off. */
function WeeklyMail({ isOn }: { isOn: boolean }) {
  const { send, isBusy, error } = useWrite(savedWrites, 'weeklyMail');
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        checked={isOn}
        aria-disabled={isBusy || undefined}
        onChange={() => send({ body: { weekly_mail: !isOn } })}
        label="Email me what’s new once a week"
        hint="Every Monday, even if nothing is new. The subject gives nothing away, but the email names what you saved, so use a personal address."
      />
      {error && <Banner tone="error">{error.message}</Banner>}
    </div>
  );
}

export const meta = () => pageMeta('Saved');

/** Without an account, everything is in the browser. */
export async function clientLoader() {
  const { user } = await settledSession();
  const { entries, account } = await saved.reload();
  const hasRest = account !== null && entries.length > account.entries.length;
  const ids = employerIds(entries);
  return { isSignedIn: user !== null, hasRest, ids, employers: await employersOf(ids) };
}

const employerIds = (entries: readonly string[]): number[] =>
  entries.flatMap((address) => {
    const entry = parseSaved(address);
    return entry && 'employerId' in entry ? [entry.employerId] : [];
  });

async function employersOf(ids: readonly number[]): Promise<SavedEmployers['results']> {
  const found: SavedEmployers['results'] = [];
  for (let first = 0; first < ids.length; first += SAVED_MAX) {
    const body = { ids: ids.slice(first, first + SAVED_MAX) };
    found.push(...(await api.call(savedEndpoints.employers, { body })).results);
  }
  return found;
}

export const clientAction = savedWrites.clientAction;

export default function SavedPage({ loaderData }: Route.ComponentProps) {
  const { isSignedIn, hasRest, ids, employers } = loaderData;
  const { entries, account } = useSaved();
  const { revalidate } = useRevalidator();
  // Something was saved in another tab or on another device.
  const isOutdated = employerIds(entries).some((id) => !ids.includes(id));

  useEffect(() => {
    if (isOutdated) void revalidate();
  }, [isOutdated, revalidate]);

  return (
    <div className="page-width">
      <PageHeading
        title="Saved"
        subtitle={
          isSignedIn
            ? 'Encrypted with your account, so a copy of our database does not show what you save.'
            : 'Kept in this browser only.'
        }
        action={
          <Link to={paths.employers()} className={buttonClass('secondary')}>
            Find employers
          </Link>
        }
      />
      {!isSignedIn && (
        <p className="max-w-measure pb-4 text-ink-soft">
          <Link to={paths.login({ redirect: asRedirect(paths.saved()) })} className="prose-link">
            Log in
          </Link>{' '}
          to keep them with your account and get an email about what’s new.
        </p>
      )}
      {hasRest && (
        <Banner tone="info" className="mb-4">
          We could not move everything that is saved in this browser to your account. The rest stays
          here.
        </Banner>
      )}
      {account && <WeeklyMail isOn={account.weekly_mail} />}
      {entries.length > 0 ? (
        <SavedEntries
          entries={entries}
          ids={ids}
          employers={employers}
          action={(employer) => <CompareToggle employer={employer} />}
        />
      ) : (
        <div className="pt-4">
          <EmptyState title="Nothing saved yet">
            Choose “Save” on an employer, or “Save this search” on a list with filters.
          </EmptyState>
        </div>
      )}
      <CompareTray />
    </div>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <LoadFailedScreen title="Failed to load what you saved. Please try again later." error={error} />
);
