import { expect, test } from 'vitest';
import { apiPath, asRedirect, paths, withQuery } from './paths.ts';

test('pages', () => {
  expect([
    paths.home(),
    paths.login(),
    paths.login({ expired: true }),
    paths.login({ redirect: asRedirect(paths.createReview()) }),
    paths.login({ redirect: asRedirect(paths.createReview({ employer: 7 })) }),
    paths.signup({ redirect: 'create-review', employer: 7 }),
    paths.register(),
    paths.forgotPassword(),
    paths.passwordReset(),
    paths.stopEmailChange(),
    paths.employers(),
    paths.employers({ page: 2, search: 'St. Mary & Co', state: '' }),
    paths.employer(12),
    paths.employer(12, { position_title: 'Hospitalist', page: 2 }),
    paths.compare(),
    paths.compare([3, 12]),
    paths.compare([3, 12], 'Allergy & Immunology'),
    paths.compare([], 'Cardiology'),
    paths.reviews({ min_rating: 4 }),
    paths.review('0b5e'),
    paths.verificationRequired(),
    paths.letter(),
    paths.howItWorks(),
    paths.legalDemands(),
    paths.guidelines(),
    paths.guidelines('anonymity'),
    paths.terms(),
    paths.privacy(),
    paths.dashboard(),
    paths.dashboard({ newReview: true }),
    paths.myReviews(),
    paths.createReview(),
    paths.createReview({ employer: 7 }),
    paths.reviewsCreate(),
    paths.editReview('0b5e'),
    paths.represent({ employer: 7 }),
    paths.profile(),
    paths.reviewLock(),
    paths.adminEmployer(7),
    paths.adminReports(),
    paths.adminReports({ show: 'removed', page: 2 }),
    paths.log({ kind: 'reviews', month: '2026-01' }),
  ]).toMatchInlineSnapshot(`
    [
      "/",
      "/login",
      "/login?expired=true",
      "/login?redirect=create-review",
      "/login?redirect=create-review%3Femployer%3D7",
      "/signup?redirect=create-review&employer=7",
      "/register",
      "/forgot-password",
      "/password-reset",
      "/stop-email-change",
      "/employers",
      "/employers?page=2&search=St.+Mary+%26+Co",
      "/employers/12",
      "/employers/12?position_title=Hospitalist&page=2",
      "/compare",
      "/compare?ids=3,12",
      "/compare?ids=3,12&specialty=Allergy+%26+Immunology",
      "/compare?specialty=Cardiology",
      "/reviews?min_rating=4",
      "/reviews/0b5e",
      "/verification-required",
      "/letter",
      "/how-it-works",
      "/how-it-works#legal-demands",
      "/guidelines",
      "/guidelines#anonymity",
      "/terms-of-use",
      "/privacy-policy",
      "/dashboard",
      "/dashboard?newReview=true",
      "/my-reviews",
      "/create-review",
      "/create-review?employer=7",
      "/reviews/create",
      "/edit-review/0b5e",
      "/represent?employer=7",
      "/profile",
      "/profile#lock-my-reviews",
      "/admin/employers/7",
      "/admin/reports",
      "/admin/reports?show=removed&page=2",
      "/admin/log?kind=reviews&month=2026-01",
    ]
  `);
});

test("fills in the parameters and the query of an endpoint's path", () => {
  expect(apiPath({ path: '/reviews/' })).toBe('/reviews/');
  const query = { page: 2, ordering: '-created_at', search: '' };
  expect(apiPath({ path: '/reviews/' }, { query })).toBe('/reviews/?page=2&ordering=-created_at');
  const params = { id: '../x' };
  expect(apiPath({ path: '/employers/:id/reviews/' }, { params, query: { page: 3 } })).toBe(
    '/employers/..%2Fx/reviews/?page=3',
  );
});

test('leaves out unset query values, and keeps false and 0', () => {
  expect(withQuery('/x', { a: '', b: null, c: undefined, d: false, e: 0 })).toBe('/x?d=false&e=0');
});
