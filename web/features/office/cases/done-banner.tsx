import type { CaseFile } from '#contract/office/case-queue.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';

/** What was decided about a case, for the page after it. */
export interface Done {
  text: string;
  /** The case, whose name the next page does not show. */
  name: string;
  /** The page of what was decided about, if there is one. */
  to: string | null;
  /** It can be undone there. */
  canUndo: boolean;
}

export const doneWith = ({ case: shown, file }: CaseFile, text: string, canUndo = false): Done => ({
  text,
  name: shown.title,
  to: pageOf(file),
  canUndo,
});

/** The page of a case's subject in the office, which exists without a case. */
function pageOf(file: CaseFile['file']): string | null {
  switch (file.type) {
    case 'review':
    case 'reply':
      return paths.adminReview(file.review.id);
    case 'employer':
    case 'correction':
      return paths.adminEmployer(file.employer.id);
    case 'doctor':
      return paths.adminDoctors({ npi: file.doctor.npi });
    case 'representative':
      return paths.adminEmployer(file.representative.employer.id);
    case 'legal':
      return paths.office({ kind: 'legal' });
  }
}

/** The `done` of a location's state. */
export const doneIn = (state: { done?: Partial<Done> } | null): Done | null =>
  typeof state?.done?.text === 'string' ? (state.done as Done) : null;

export function DoneBanner({ done: { text, name, to, canUndo } }: { done: Done }) {
  return (
    <Banner tone="success" className="mb-6">
      <p>
        {to === null ? (
          <strong>{name}</strong>
        ) : (
          <Link to={to} className="prose-link font-semibold">
            {name}
          </Link>
        )}
        <span>{`: ${text}`}</span>
        {to !== null && canUndo && (
          <>
            {' '}
            <Link to={to} className="prose-link">
              Undo
            </Link>
          </>
        )}
      </p>
    </Banner>
  );
}
