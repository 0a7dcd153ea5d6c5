import type { Endpoints } from './endpoint.ts';
import { accountEndpoints } from './endpoints/account.ts';
import { correctionDecisionEndpoints, employerEndpoints } from './endpoints/employers.ts';
import {
  castVoteEndpoints,
  feedbackEndpoints,
  takeVoteBackEndpoints,
} from './endpoints/feedback.ts';
import { moderationEndpoints } from './endpoints/moderation.ts';
import {
  caseEndpoints,
  digestEndpoints,
  doctorDecisionEndpoints,
  doctorEndpoints,
  factorEndpoints,
  legalEndpoints,
  logEndpoints,
  staffEndpoints,
  transparencyEndpoints,
} from './endpoints/office.ts';
import {
  replyDecisionEndpoints,
  replyEndpoints,
  representativeDecisionEndpoints,
  representativeEndpoints,
} from './endpoints/replies.ts';
import {
  physicianCountEndpoints,
  positionTitleEndpoints,
  reviewEndpoints,
  suggestionEndpoints,
} from './endpoints/reviews.ts';
import { savedEndpoints } from './endpoints/saved.ts';
import { sessionEndpoints } from './endpoints/session.ts';
import { verificationEndpoints } from './endpoints/verification.ts';

/**
 * Every endpoint of the API, by group. Pages import single groups instead: they need only some
 * endpoints, and no schemas.
 */
export const endpoints = {
  account: accountEndpoints,
  cases: caseEndpoints,
  cast_vote: castVoteEndpoints,
  correction_decisions: correctionDecisionEndpoints,
  digest: digestEndpoints,
  doctor_decisions: doctorDecisionEndpoints,
  doctors: doctorEndpoints,
  employers: employerEndpoints,
  factor: factorEndpoints,
  feedback: feedbackEndpoints,
  legal: legalEndpoints,
  log: logEndpoints,
  moderation: moderationEndpoints,
  physician_counts: physicianCountEndpoints,
  position_titles: positionTitleEndpoints,
  replies: replyEndpoints,
  reply_decisions: replyDecisionEndpoints,
  representative_decisions: representativeDecisionEndpoints,
  representatives: representativeEndpoints,
  reviews: reviewEndpoints,
  saved: savedEndpoints,
  session: sessionEndpoints,
  staff: staffEndpoints,
  suggestions: suggestionEndpoints,
  take_vote_back: takeVoteBackEndpoints,
  transparency: transparencyEndpoints,
  verification: verificationEndpoints,
} as const satisfies Readonly<Record<string, Endpoints>>;
