import { useLayoutEffect, useRef } from 'react';
import {
  data,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useNavigation,
} from 'react-router';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import type { CaseFile } from '#contract/office/case-queue.ts';
import { CaseScreen } from '#web/features/office/cases/case-screen.tsx';
import { caseWrites, isDecision } from '#web/features/office/cases/case-writes.ts';
import {
  type Done,
  DoneBanner,
  doneIn,
  doneWith,
} from '#web/features/office/cases/done-banner.tsx';
import { type QueueFilters, queueFiltersOf } from '#web/features/office/cases/queue-filters.tsx';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, orNotFound } from '#web/features/office/office-page.tsx';
import { moderationWrites } from '#web/features/reviews/moderation/decision-dialog.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';
import { pageWrites } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/case.ts';

/** A case that the caller may decide; null if it is no longer open. */
const readCase = (id: string, query: QueueFilters): Promise<CaseFile | null> =>
  api.call(caseEndpoints.read, { params: { id }, query }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });

/**
 * The case after this one that nobody else has claimed or decided since this one was read; null if
 * none is left. Errors are left to the page of the next case.
 */
async function nextCase(
  { case: { id }, next_id }: CaseFile,
  filters: QueueFilters,
  { isDecided }: { isDecided: boolean },
): Promise<string | null> {
  try {
    // As long as it is open, it knows what comes next.
    const current = isDecided ? null : await readCase(id, filters);
    if (current) return current.next_id;
    const next = next_id && (await readCase(next_id, filters));
    if (next) return next.case.claim?.is_own === false ? next.next_id : next_id;
    return next_id && (await firstOf(filters));
  } catch {
    return next_id;
  }
}

/** The first case of the queue that the caller can decide. */
async function firstOf(filters: QueueFilters): Promise<string | null> {
  const query = { ...filters, claim: filters.claim ?? 'free' };
  const { results } = await api.call(caseEndpoints.list, { query });
  return results.find(({ is_own_decision }) => !is_own_decision)?.id ?? null;
}

export const meta = () => pageMeta('Case');

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request);
  const filters = queueFiltersOf(request.url);
  const reading = readCase(params.caseId, filters).catch((error: unknown) => {
    const role = error instanceof ApiError && textMember(error.response?.body, 'role');
    if (role) throw data({ role }, { status: 403 });
    throw error;
  });
  return { found: await orNotFound(reading), filters };
}

export const { clientAction } = pageWrites({ ...caseWrites.writes, ...moderationWrites.writes });

/** A decision closes the case. The page then goes to the next one, and says what was decided. */
export const shouldRevalidate = ({
  json,
  actionResult,
  actionStatus = 200,
}: ShouldRevalidateFunctionArgs) =>
  // After an error, the page keeps what it shows, and what was typed.
  actionStatus < 400 &&
  !isDecision((json as { name?: string } | undefined)?.name, actionResult?.ok);

export default function CasePage({ loaderData }: Route.ComponentProps) {
  const { found, filters } = loaderData;
  const done = doneIn(useLocation().state);
  return found ? (
    <OpenCase key={found.case.id} found={found} filters={filters} done={done} />
  ) : (
    <DecidedCase filters={filters} done={done} />
  );
}

interface OpenCaseProps extends DecidedCaseProps {
  found: CaseFile;
}

function OpenCase({ found, filters, done }: OpenCaseProps) {
  const navigate = useNavigate();
  const isFollowing = useNavigation().location !== undefined;
  const leaving = useRef<'asks' | 'goes' | null>(null);
  // The reader may go elsewhere while the next case is looked for.
  useLayoutEffect(() => {
    if (isFollowing && leaving.current === 'asks') leaving.current = null;
  }, [isFollowing]);
  useLayoutEffect(
    () => () => {
      leaving.current = null;
    },
    [],
  );
  const goOn = async (decided?: { done: Done }) => {
    if (leaving.current) return;
    leaving.current = 'asks';
    const id = await nextCase(found, filters, { isDecided: decided !== undefined });
    if (leaving.current !== 'asks') return;
    leaving.current = 'goes';
    const next = id === null ? paths.office({ ...filters }) : paths.case(id, { ...filters });
    await navigate(next, { state: decided });
  };
  return (
    <CaseScreen
      found={found}
      backTo={paths.office({ ...filters })}
      onNext={() => void goOn()}
      done={done}
      onDecided={(text, canUndo) => void goOn({ done: doneWith(found, text, canUndo) })}
    />
  );
}

interface DecidedCaseProps {
  filters: QueueFilters;
  /** What was decided about the previous case. */
  done: Done | null;
}

/** Shown for a case that has been decided, perhaps by someone else a moment ago. */
function DecidedCase({ filters, done }: DecidedCaseProps) {
  return (
    <div className="page-width">
      <PageHeading title="Case" />
      {done && <DoneBanner done={done} />}
      <Banner tone="info">
        This case is no longer open. It has been decided, or its subject is gone.
      </Banner>
      <p className="mt-6">
        <Link to={paths.office({ ...filters })} className="prose-link">
          Back to the queue
        </Link>
      </p>
    </div>
  );
}

export const ErrorBoundary = () => <OfficeError />;
