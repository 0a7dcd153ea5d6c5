import { lazy, Suspense } from 'react';
import { redirect, useRevalidator } from 'react-router';
import { PASSWORD_RULES } from '#contract/accounts/account-rules.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { replyEndpoints, representativeEndpoints } from '#contract/endpoints/replies.ts';
import { EMPLOYER_REVIEWS_PAGE_SIZE } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Representative } from '#contract/replies/representatives.ts';
import { nameFields } from '#web/features/accounts/account-fields.ts';
import { AccountScreen, Agreement } from '#web/features/accounts/account-screen.tsx';
import { signupWrites } from '#web/features/accounts/account-writes.ts';
import { FAILURES, signupFailure } from '#web/features/accounts/failures.ts';
import {
  type SentCode,
  SignupCodeStep,
  useSignupSteps,
} from '#web/features/accounts/signup-code-step.tsx';
import { Asked } from '#web/features/accounts/verification/asked.tsx';
import { replyWrites } from '#web/features/reviews/reply-writes.ts';
import { Form } from '#web/form/form.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { pageNumber, paths } from '#web/lib/paths.ts';
import { askApi, mergedInto } from '#web/lib/render-context.ts';
import { api, settledSession } from '#web/lib/session.ts';
import { pageWrites, useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { LoadingNotice } from '#web/ui/loading.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import type { Route } from './+types/represent.ts';

interface RepresentativeFormProps {
  employer: number;
  isReturning: boolean;
  onSent: (sent: SentCode) => void;
}

/** The first step of signing up as an employer's representative. */
function RepresentativeForm({ employer, isReturning, onSent }: RepresentativeFormProps) {
  const { send, error } = useWrite(signupWrites, 'sendCode', { onDone: onSent });
  return (
    <Form
      schema={async () =>
        (await import('#web/features/accounts/representative-checks.ts')).checkDetails
      }
      fields={[
        { columns: nameFields(isReturning) },
        { name: 'work_title', label: 'Work title', autoComplete: 'organization-title' },
        {
          name: 'email',
          label: 'Work email',
          kind: 'email',
          autoComplete: 'email',
          hint: 'Your own address at the employer. We’ll send a code there.',
        },
        {
          name: 'password',
          label: 'Password',
          kind: 'password',
          autoComplete: 'new-password',
          rules: PASSWORD_RULES,
        },
        <Agreement key="agreement" doing="signing up" />,
      ]}
      action={{ text: 'Sign up', busyText: 'Signing up...', size: 'lg' }}
      error={error}
      failure={(failed) => signupFailure(failed, FAILURES.signup)}
      onSubmit={(details) => send({ ...details, employer })}
    />
  );
}

/** Both steps of signing up as a representative (docs/product/accounts.md, "Representatives"). */
function RepresentativeSignup({ employer }: { employer: Employer | null }) {
  const { sent, isReturning, toCode, back } = useSignupSteps();
  const { revalidate } = useRevalidator();
  if (employer === null) return <ChooseEmployer />;
  const name = titleCase(employer.name);
  if (sent !== null) {
    return (
      <SignupCodeStep key="code" sent={sent} onBack={back} onVerified={() => void revalidate()} />
    );
  }
  return (
    <AccountScreen
      key="details"
      title={`Represent ${name}`}
      lede={
        <>
          <p>
            A representative can reply once to each review of {name}, on its behalf and without
            showing their own name. We check every representative before their first reply.
          </p>
          <p className="mt-3">
            Representatives cannot post reviews, vote, or report, and cannot learn who wrote a
            review. We remove replies that ask. See the{' '}
            <Link to={paths.guidelines('replies')} className="prose-link">
              Guidelines
            </Link>
            .
          </p>
          <p className="mt-3">
            Already a representative?{' '}
            <Link to={paths.login({ redirect: 'represent' })} className="prose-link">
              Sign in
            </Link>
          </p>
        </>
      }
    >
      <RepresentativeForm employer={employer.id} isReturning={isReturning} onSent={toCode} />
    </AccountScreen>
  );
}

const ChooseEmployer = () => (
  <AccountScreen title="Represent an employer">
    <p>
      Find the employer in the{' '}
      <Link to={paths.employers()} className="prose-link">
        directory
      </Link>{' '}
      and choose “Represent this employer?” on its page.
    </p>
  </AccountScreen>
);

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
  const answer = id ? await askApi(context, employerEndpoints.read, { params: { id } }) : null;
  if (answer?.status === 301)
    throw redirect(paths.represent({ employer: await mergedInto(answer) }));
  return { show: 'signup', employer: answer?.ok ? await answer.json() : null } as const;
}

export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const { user } = await settledSession();
  if (user?.is_representative) return readOwn(pageNumber(request.url));
  return user ? ({ show: 'other' } as const) : serverLoader();
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
