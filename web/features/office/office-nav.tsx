import type { Role } from '#contract/staff-roles.ts';
import { NavLink } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';

/** The pages of the office, and who may open them. */
const PAGES: readonly { text: string; to: string; role?: Role }[] = [
  { text: 'Queue', to: paths.office() },
  { text: 'Reported reviews', to: paths.adminReports(), role: 'moderator' },
  { text: 'Doctors', to: paths.adminDoctors(), role: 'verifier' },
  { text: 'Representatives', to: paths.admin('representatives'), role: 'curator' },
  { text: 'Log', to: paths.log(), role: 'auditor' },
  { text: 'Staff', to: paths.admin('staff'), role: 'owner' },
  { text: 'Office security', to: paths.admin('security') },
];

/** Links to the pages of the office that the user may open. */
export function OfficeNav() {
  const { user } = useSession();
  const mine = PAGES.filter(({ role }) => role === undefined || user?.roles.includes(role));
  return (
    <nav aria-label="Office" className="flex flex-wrap gap-x-6 pt-6 print:hidden">
      {mine.map(({ text, to }) => (
        <NavLink
          key={to}
          to={to}
          end={to === paths.office()}
          className="flex min-h-11 items-center text-sm text-ink-soft underline-offset-4 hover:underline aria-[current=page]:font-semibold aria-[current=page]:text-ink"
        >
          {text}
        </NavLink>
      ))}
    </nav>
  );
}
