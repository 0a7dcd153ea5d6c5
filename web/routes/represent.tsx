import { lazy, Suspense } from 'react';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { replyEndpoints } from '#contract/endpoints/replies.ts';
import { representativeEndpoints } from '#contract/endpoints/representatives.ts';
import { EMPLOYER_REVIEWS_PAGE_SIZE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Representative } from '#contract/replies/representatives.ts';
import { signupWrites } from '#web/features/accounts/account-writes.ts';
import { RepresentativeSignup } from '#web/features/accounts/representatives/representative-signup.tsx';
import { Asked } from '#web/features/accounts/verification/asked.tsx';
import { replyWrites } from '#web/features/reviews/replies/reply-writes.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber, paths } from '#web/lib/paths.ts';
import { askApi } from '#web/lib/server-api.ts';
import { api, settledSession } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';
import { pageWrites } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { LoadingNotice } from '#web/ui/spinner.tsx';
import type { Route } from './+types/represent.ts';

/**
 * Explains why there is nothing to reply to. `own` is null for an account that represents nobody.
 */
function RepresentationStatus({ own }: { own: Representative | null }) {
  return (
    <div className="page-width">
      <PageHeading
        title={own ? titleCase(own.employer.name) : 'Represent an employer'}
        {...(own && { subtitle: `Your work title: ${own.work_title}` })}
      />
      <Banner tone="info" className="mt-8">
        {own === null
          ? 'Representatives have a different kind of account. To sign up as one, sign out first.'
          : own.state === 'pending'
            ? 'We are checking that you represent this employer. After that, you can reply to its reviews here.'
            : `We could not confirm that you represent this employer. Reason: ${own.reason}`}
      </Banner>
      {own?.state === 'pending' && <Asked request={own.asked} className="mt-6 mb-8" />}
      {own && (
        <p className="mt-6">
          <Link to={paths.employer(own.employer.id)} className="prose-link">
            The page for {titleCase(own.employer.name)}
          </Link>
        </p>
      )}
    </div>
  );
}

export const meta = () =>
  pageMeta(
    'Represent an employer',
    'Reply to reviews on behalf of your hospital or clinic. Representatives cannot review, vote, or see who wrote a review.',
  );

/** Loaded on demand, because only an approved representative needs it. */
const RepresentativeReviews = lazy(async () => ({
  default: (await import('#web/features/reviews/representative-reviews.tsx')).RepresentativeReviews,
}));

/** Renders the sign-up on the server, for visitors who are not signed in. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const id = new URL(request.url).searchParams.get('employer');
  if (!id) return { show: 'signup', employer: null } as const;
  const answer = await askApi(context, employerEndpoints.read, { params: { id } });
  // Only the browser follows a merged employer to the remaining one.
  if (!answer.ok) return { show: 'nothing' } as const;
  return { show: 'signup', employer: await answer.json() } as const;
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await settledSession();
  if (user?.is_representative) return readOwn(pageNumber(request.url));
  if (user) return { show: 'other' } as const;
  const id = new URL(request.url).searchParams.get('employer');
  const employer = id ? await orNull(api.call(employerEndpoints.read, { params: { id } })) : null;
  return { show: 'signup', employer } as const;
}
clientLoader.hydrate = true as const;

/** The representation and, once it is approved, the reviews to reply to. */
async function readOwn(page: number) {
  const own = await api.call(representativeEndpoints.own);
  if (own.state !== 'approved') return { show: 'status', own } as const;
  const [reviews, removed] = await Promise.all([
    api.call(employerEndpoints.reviews, {
      params: { id: own.employer.id },
      query: { page, page_size: EMPLOYER_REVIEWS_PAGE_SIZE },
    }),
    api.call(replyEndpoints.listRemoved),
  ]);
  return { show: 'reviews', own, reviews, removed, page } as const;
}

export const clientAction = pageWrites({
  ...signupWrites.writes,
  ...replyWrites.writes,
}).clientAction;

/** Signing up as an employer's representative, and then replying to its reviews. */
export default function Represent({ loaderData }: Route.ComponentProps) {
  if (loaderData.show === 'nothing') return <LoadingNotice />;
  if (loaderData.show === 'signup') {
    return (
      <>
        {/* Whoever is signed in waits for the account instead. */}
        <div className="signed-out:hidden">
          <LoadingNotice />
        </div>
        <div className="signed-in:hidden">
          <RepresentativeSignup employer={loaderData.employer} />
        </div>
      </>
    );
  }
  if (loaderData.show === 'reviews') {
    return (
      <Suspense fallback={<LoadingNotice />}>
        <RepresentativeReviews {...loaderData} />
      </Suspense>
    );
  }
  return <RepresentationStatus own={loaderData.show === 'status' ? loaderData.own : null} />;
}
