import { digestEndpoints, factorEndpoints } from '#contract/endpoints/office.ts';
import { FactorSection, factorWrites } from '#web/features/office/factor/factor-section.tsx';
import { requireAdmin } from '#web/features/office/factor/require-admin.ts';
import { OfficeError, OfficePage } from '#web/features/office/office-page.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { api } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/inputs.tsx';
import type { Route } from './+types/admin-security.ts';

/** Turns the user's own daily email about the office on or off. */
function DigestSection({ isOn }: { isOn: boolean }) {
  const { send, isBusy, error } = useWrite(factorWrites, 'digest');
  return (
    <section aria-labelledby="daily-email" className="mt-10 border-t border-rule pt-6">
      <h2 id="daily-email" className="font-display text-xl">
        Daily email
      </h2>
      <div className="mt-4 flex max-w-measure flex-col gap-3">
        <Checkbox
          checked={isOn}
          aria-disabled={isBusy || undefined}
          onChange={() => send({ body: { is_on: !isOn } })}
          label="Email me once a day what waits for me"
          hint="From tomorrow on, at 12:00 UTC, unless nothing waits: how many cases of each kind, how many are overdue, and which roles nobody has. It names nobody and no employer."
        />
        {error && <Banner tone="error">{error.message}</Banner>}
      </div>
    </section>
  );
}

export const meta = () => pageMeta('Office security');

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request);
  // Where the user was going, if that is a page of the office.
  const target = `/${new URL(request.url).searchParams.get('redirect') ?? ''}`;
  const [status, digest] = await Promise.all([
    api.call(factorEndpoints.status),
    api.call(digestEndpoints.read),
  ]);
  return {
    status,
    digest,
    next: OFFICE_PAGE.test(target) ? target : null,
  };
}

const OFFICE_PAGE = /^\/admin(?=[/?]|$)/;

export const clientAction = factorWrites.clientAction;

export default function AdminSecurity({ loaderData }: Route.ComponentProps) {
  const { status, digest, next } = loaderData;
  return (
    <OfficePage
      title="Office security"
      subtitle="A second factor, which you need to enter the office."
    >
      <FactorSection status={status} />
      {next !== null && (
        <Link to={next} className={buttonClass('primary', 'md', 'mt-8')}>
          Continue to the office
        </Link>
      )}
      {/* Without the factor that it requires, nobody can change it. */}
      {(status.is_set_up || !status.is_required) && <DigestSection isOn={digest.is_on} />}
    </OfficePage>
  );
}

export const ErrorBoundary = () => (
  <OfficeError title="Office security" what="your second factor" />
);
