import { index, type RouteConfig, route } from '@react-router/dev/routes';

/** The whole URL map. The links to it are built in web/lib/paths.ts. */
export default [
  index('routes/landing.tsx'),
  route('employers', 'routes/employers.tsx'),
  route('employers/:employerId', 'routes/employer.tsx'),
  route('reviews', 'routes/reviews.tsx'),
  route('terms-of-use', 'routes/terms-of-use.tsx'),
  route('privacy-policy', 'routes/privacy-policy.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
