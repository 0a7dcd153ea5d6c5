/**
 * The rules that moderators decide by, in the order of the Guidelines page, which lists them. Keys
 * are stored with decisions and in the public log, so a key never changes its meaning. `reason` is
 * the text to the author that a moderator starts from. No schemas, so that pages can import it.
 */
export const REVIEW_RULES = {
  patients: {
    name: 'Patients and health information',
    text: 'protected health information, and anything that could identify a patient',
    reason:
      'Please leave out health information and anything that could identify a patient, such as a date, an age, or a rare diagnosis. A case can be recognized even without a name.',
  },
  private_persons: {
    name: 'Names and contact details',
    text: 'names and contact details of colleagues or other private persons',
    reason:
      'Please leave out the names and contact details of colleagues and other private persons. You can say what happened without saying who it was.',
  },
  abuse: {
    name: 'Defamation, threats, and abuse',
    text: 'defamatory statements, threats, harassment, slurs, and discrimination',
    reason:
      'Please leave out insults, threats, discrimination, and accusations that you cannot support. Describe what you saw yourself, without attacking anyone.',
  },
  confidential: {
    name: 'Confidential information',
    text: 'confidential documents, and anything you are legally required not to disclose',
    reason:
      'Please leave out confidential documents, and anything that you are legally required not to disclose. You can describe the work in your own words.',
  },
  advertising: {
    name: 'Advertising, and reviews for money or favors',
    text: 'advertising, recruiting, and reviews written for money or favors',
    reason:
      'Please leave out advertising and recruiting. What is written here must not be for money or favors.',
  },
  not_first_hand: {
    name: 'Not first-hand',
    text: 'anything about a place where you have not worked or trained yourself',
    reason:
      'Please write only about places where you have worked or trained yourself, and leave out what you know from others.',
  },
  asking_who: {
    name: 'Asking who the author is',
    text: 'questions and guesses about who wrote a review, and invitations to its author to get in touch',
    reason:
      'Please leave out questions and guesses about who wrote a review, and do not invite its author to get in touch. Authors stay anonymous here.',
  },
  general: {
    name: 'These guidelines in general',
    text: 'anything else that does not help a colleague to choose an employer',
    reason:
      'Please keep to what helps a colleague choose an employer, such as the work, the hours, and the support, and leave out everything else.',
  },
} as const;
export type ReviewRule = keyof typeof REVIEW_RULES;
export const REVIEW_RULE_KEYS = Object.keys(REVIEW_RULES) as [ReviewRule, ...ReviewRule[]];

/** The anchor of a rule on the Guidelines page. */
export const ruleAnchor = (rule: ReviewRule) => `rule-${rule.replaceAll('_', '-')}`;

/** What a moderator can decide about a review. */
export const DECISION_OUTCOMES = {
  keep: 'Kept',
  remove: 'Removed',
  restore: 'Restored',
  hold: 'Hidden until edited',
} as const;
export type DecisionOutcome = keyof typeof DECISION_OUTCOMES;
export const DECISION_OUTCOME_KEYS = Object.keys(DECISION_OUTCOMES) as [
  DecisionOutcome,
  ...DecisionOutcome[],
];

/** How the review reached the moderator. */
export const DECISION_SOURCES = {
  report: 'A report',
  screening: 'The automatic screening',
  moderator: 'A moderator',
  employer: 'A decision about its employer',
} as const;
export type DecisionSource = keyof typeof DECISION_SOURCES;
export const DECISION_SOURCE_KEYS = Object.keys(DECISION_SOURCES) as [
  DecisionSource,
  ...DecisionSource[],
];
/** What a moderator can name. */
export const GIVEN_SOURCES = ['report', 'screening', 'moderator'] as const;
