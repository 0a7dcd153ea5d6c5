import { expect, test } from 'vitest';
import { apiPaths, asRedirect, paths, withQuery } from './paths.ts';

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
    paths.employers(),
    paths.employers({ page: 2, search: 'St. Mary & Co', state: '' }),
    paths.employer(12),
    paths.reviews({ min_rating: 4 }),
    paths.verificationRequired(),
    paths.terms(),
    paths.privacy(),
    paths.dashboard(),
    paths.dashboard({ newReview: true }),
    paths.myReviews(),
    paths.createReview(),
    paths.createReview({ employer: 7 }),
    paths.editReview('0b5e'),
    paths.profile(),
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
      "/employers",
      "/employers?page=2&search=St.+Mary+%26+Co",
      "/employers/12",
      "/reviews?min_rating=4",
      "/verification-required",
      "/terms-of-use",
      "/privacy-policy",
      "/dashboard",
      "/dashboard?newReview=true",
      "/my-reviews",
      "/create-review",
      "/create-review?employer=7",
      "/edit-review/0b5e",
      "/profile",
    ]
  `);
});

test('the API', () => {
  expect([
    apiPaths.csrf(),
    apiPaths.login(),
    apiPaths.register(),
    apiPaths.logout(),
    apiPaths.refresh(),
    apiPaths.user(),
    apiPaths.doctor(),
    apiPaths.passwordReset(),
    apiPaths.passwordResetValidate({ token: 'a b', uidb64: 'MQ' }),
    apiPaths.passwordResetConfirm(),
    apiPaths.reviews({ page: 2, ordering: '-created_at' }),
    apiPaths.review('0b5e'),
    apiPaths.ownReviews(),
    apiPaths.reviewFilterOptions(),
    apiPaths.employers({ search: 'x' }),
    apiPaths.employer('../x'),
    apiPaths.employerReviews(3, { page: 2 }),
    apiPaths.employerFilterOptions(),
    apiPaths.customEmployer(),
    apiPaths.positionTitles({ search: 'card', page_size: 20 }),
    apiPaths.userById('u1'),
  ]).toMatchInlineSnapshot(`
    [
      "/csrf/",
      "/auth/login/",
      "/auth/register/",
      "/auth/logout/",
      "/auth/token/refresh/",
      "/auth/user/",
      "/doctors/me/",
      "/auth/password/reset/",
      "/auth/password/reset/validate/?token=a+b&uidb64=MQ",
      "/auth/password/reset/confirm/",
      "/reviews/?page=2&ordering=-created_at",
      "/reviews/0b5e/",
      "/reviews/my_reviews/",
      "/reviews/filter_options/",
      "/employers/?search=x",
      "/employers/..%2Fx/",
      "/employers/3/reviews/?page=2",
      "/employers/filter_options/",
      "/employers/custom/",
      "/position-titles/?search=card&page_size=20",
      "/users/u1/",
    ]
  `);
});

test('a query leaves out what is not set, and keeps false and 0', () => {
  expect(withQuery('/x', { a: '', b: null, c: undefined, d: false, e: 0 })).toBe('/x?d=false&e=0');
});
