import { expect, test } from 'vitest';
import { asRedirect, paths } from './paths.ts';

const AT = { employer: 7 };
const BACK = asRedirect(paths.createReview(AT));
const FELLOWS = { position_title: 'Fellow', page: 2 };
const SEARCH = { page: 2, search: 'St. Mary & Co', state: '' };

test.each([
  [paths.home(), '/'],
  [paths.login(), '/login'],
  [paths.login({ expired: true }), '/login?expired=true'],
  [paths.login({ redirect: asRedirect(paths.createReview()) }), '/login?redirect=create-review'],
  [paths.login({ redirect: BACK }), '/login?redirect=create-review%3Femployer%3D7'],
  [paths.signup({ redirect: 'create-review', ...AT }), '/signup?redirect=create-review&employer=7'],
  [paths.register(), '/register'],
  [paths.forgotPassword(), '/forgot-password'],
  [paths.passwordReset(), '/password-reset'],
  [paths.stopEmailChange(), '/stop-email-change'],
  [paths.employers(), '/employers'],
  [paths.employers(SEARCH), '/employers?page=2&search=St.+Mary+%26+Co'],
  [paths.employer(12), '/employers/12'],
  [paths.employer(12, FELLOWS), '/employers/12?position_title=Fellow&page=2'],
  [paths.compare(), '/compare'],
  [paths.compare([3, 12]), '/compare?ids=3,12'],
  [
    paths.compare([3, 12], 'Allergy & Immunology'),
    '/compare?ids=3,12&specialty=Allergy+%26+Immunology',
  ],
  [paths.compare([], 'Cardiology'), '/compare?specialty=Cardiology'],
  [paths.reviews({ min_rating: 4 }), '/reviews?min_rating=4'],
  [paths.review('0b5e'), '/reviews/0b5e'],
  [paths.verificationRequired(), '/verification-required'],
  [paths.letter(), '/letter'],
  [paths.howItWorks(), '/how-it-works'],
  [paths.legalDemands(), '/how-it-works#legal-demands'],
  [paths.guidelines(), '/guidelines'],
  [paths.guidelines('anonymity'), '/guidelines#anonymity'],
  [paths.terms(), '/terms-of-use'],
  [paths.privacy(), '/privacy-policy'],
  [paths.dashboard(), '/dashboard'],
  [paths.dashboard({ newReview: true }), '/dashboard?newReview=true'],
  [paths.myReviews(), '/my-reviews'],
  [paths.createReview(), '/create-review'],
  [paths.createReview({ employer: 7 }), '/create-review?employer=7'],
  [paths.reviewsCreate(), '/reviews/create'],
  [paths.editReview('0b5e'), '/edit-review/0b5e'],
  [paths.represent({ employer: 7 }), '/represent?employer=7'],
  [paths.profile(), '/profile'],
  [paths.reviewLock(), '/profile#lock-my-reviews'],
  [paths.adminEmployer(7), '/admin/employers/7'],
  [paths.adminReports(), '/admin/reports'],
  [paths.adminReports({ show: 'removed', page: 2 }), '/admin/reports?show=removed&page=2'],
  [paths.log({ kind: 'reviews', month: '2026-01' }), '/admin/log?kind=reviews&month=2026-01'],
])('%s', (path, url) => expect(path).toBe(url));
