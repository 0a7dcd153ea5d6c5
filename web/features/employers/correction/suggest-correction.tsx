import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { Employer } from '#contract/employers/employers.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import type { CorrectionOnReturn } from './correction.ts';

/** Loaded on demand, because it needs the contract's schemas. */
const CorrectionDialog = lazy(async () => ({
  default: (await import('./correction-dialog.tsx')).CorrectionDialog,
}));

/** Opens the dialog on a click, or when a reader returns from the login. */
export function SuggestCorrection({ employer }: { employer: Employer }) {
  const { user } = useSession();
  const { state } = useLocation();
  const kept = (state as Partial<CorrectionOnReturn> | null)?.correction ?? null;
  const isReturn = useNavigationType() !== 'POP';
  const [draft, setDraft] = useState(isReturn ? kept : null);
  const [isOpen, setOpen] = useState(draft !== null);
  return (
    <div className="pb-5 text-sm print:hidden noscript:hidden">
      <button type="button" onClick={() => setOpen(true)} className="prose-link min-h-11">
        Suggest a correction
      </button>
      {user?.roles.includes('curator') && (
        <Link
          to={paths.adminEmployer(employer.id)}
          className="prose-link ml-5 inline-flex min-h-11 items-center"
        >
          Open in the office
        </Link>
      )}
      {isOpen && (
        <Suspense>
          <CorrectionDialog
            employer={employer}
            draft={draft}
            onClose={() => {
              setOpen(false);
              setDraft(null);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
