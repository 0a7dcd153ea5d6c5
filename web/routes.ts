import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** The whole URL map. The links to it are built in web/lib/paths.ts. */
export default [
  layout('routes/page.tsx', [
    index('routes/landing.tsx'),
    route('employers', 'routes/employers.tsx'),
    route('employers/:employerId', 'routes/employer.tsx'),
    route('compare', 'routes/compare.tsx'),
    route('reviews', 'routes/reviews.tsx'),
    route('reviews/:reviewId', 'routes/review.tsx'),
    route('create-review', 'routes/create-review.tsx'),
    route('reviews/create', 'routes/create-review.tsx', { id: 'routes/reviews-create' }),
    route('edit-review/:reviewId', 'routes/edit-review.tsx'),
    route('dashboard', 'routes/dashboard.tsx'),
    route('my-reviews', 'routes/my-reviews.tsx'),
    route('saved', 'routes/saved.tsx'),
    route('unsubscribe', 'routes/unsubscribe.tsx'),
    route('login', 'routes/login.tsx'),
    route('signup', 'routes/signup.tsx'),
    // The same screen under a second path. Each entry needs its own id.
    route('register', 'routes/signup.tsx', { id: 'routes/register' }),
    route('forgot-password', 'routes/forgot-password.tsx'),
    route('password-reset', 'routes/password-reset.tsx'),
    route('confirm-email', 'routes/confirm-email.tsx'),
    route('stop-email-change', 'routes/stop-email-change.tsx'),
    route('verification-required', 'routes/verification-required.tsx'),
    // Printed in letters: short enough to type.
    route('letter', 'routes/letter.tsx'),
    route('profile', 'routes/profile.tsx'),
    route('admin/reports', 'routes/admin-reports.tsx'),
    route('how-it-works', 'routes/how-it-works.tsx'),
    route('guidelines', 'routes/guidelines.tsx'),
    route('terms-of-use', 'routes/terms-of-use.tsx'),
    route('privacy-policy', 'routes/privacy-policy.tsx'),
    route('*', 'routes/not-found.tsx'),
  ]),
] satisfies RouteConfig;
