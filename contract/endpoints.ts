import type { Endpoints } from './endpoint.ts';
import { accountEndpoints } from './endpoints/account.ts';
import { employerEndpoints } from './endpoints/employers.ts';
import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from './endpoints/feedback.ts';
import { moderationEndpoints } from './endpoints/moderation.ts';
import {
  physicianCountEndpoints,
  positionTitleEndpoints,
  reviewEndpoints,
} from './endpoints/reviews.ts';
import { savedEndpoints } from './endpoints/saved.ts';
import { sessionEndpoints } from './endpoints/session.ts';
import { suggestionEndpoints } from './endpoints/suggestions.ts';
import { verificationEndpoints } from './endpoints/verification.ts';

/**
 * Every endpoint of the API, by group. Pages import the groups instead: they need only some of the
 * endpoints, and no schemas.
 */
export const endpoints = {
  account: accountEndpoints,
  cast_vote: castVoteEndpoints,
  employers: employerEndpoints,
  feedback: feedbackEndpoints,
  moderation: moderationEndpoints,
  physician_counts: physicianCountEndpoints,
  position_titles: positionTitleEndpoints,
  reviews: reviewEndpoints,
  saved: savedEndpoints,
  session: sessionEndpoints,
  suggestions: suggestionEndpoints,
  take_vote_back: takeVoteBackEndpoints,
  verification: verificationEndpoints,
} as const satisfies Readonly<Record<string, Endpoints>>;
