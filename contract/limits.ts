/** Constants and limits of the product. Times are in milliseconds. */

export const CLIENT_VERSION = '1.0.0';
export const FOOTER_YEAR = 2025;
export const LEGAL_EFFECTIVE_DATE = 'August 12, 2025';

const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const API_TIMEOUT_MS = 30 * SECOND_MS;
export const CSRF_TIMEOUT_MS = 5 * SECOND_MS;
/** Longest wait for the server on logout. The tokens are deleted either way. */
export const LOGOUT_TIMEOUT_MS = 5 * SECOND_MS;
export const REFRESH_LEAD_MS = 2 * MINUTE_MS;
export const REFRESH_MIN_DELAY_MS = 5 * SECOND_MS;

export const ACCESS_TOKEN_MS = 15 * MINUTE_MS;
export const REFRESH_REUSE_GRACE_MS = 30 * SECOND_MS;
export const SESSION_IDLE_DAYS = 14;
export const SESSION_ABSOLUTE_DAYS = 90;
export const KNOWN_DEVICE_DAYS = 90;

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
export const NPI_DIGITS = 10;
export const OTP_DIGITS = 6;
export const OTP_TTL_MS = 10 * MINUTE_MS;
export const OTP_ATTEMPTS = 5;
export const RESET_TTL_MS = 24 * HOUR_MS;
export const RESET_MAILS_PER_HOUR = 3;
export const EMAIL_CHANGE_TTL_MS = 24 * HOUR_MS;
/** How long the old address can undo a confirmed change. */
export const EMAIL_UNDO_DAYS = 7;
/** The code from a letter is valid for this many days after the day of printing. */
export const LETTER_ENTER_DAYS = 30;
export const LETTER_ATTEMPTS = 5;
/** A doctor can request one letter in this many days. */
export const LETTER_EVERY_DAYS = 30;
/** Letters that are not printed within this many days are dropped. */
export const LETTER_WAIT_DAYS = 90;
/** A decision that takes two verifiers lapses unless the second one confirms it in this time. */
export const SHARED_DECISION_DAYS = 30;
/** How long after a password login the user need not enter the password again. */
export const FRESH_LOGIN_MS = 10 * MINUTE_MS;
/** How long a second-factor code opens the office for a session. */
export const OFFICE_PASS_MS = 12 * HOUR_MS;
/** How long a code stays fresh enough to appoint staff, merge employers, and so on. */
export const FRESH_FACTOR_MS = 5 * MINUTE_MS;
/** How long setting up an authenticator app may take. */
export const FACTOR_SETUP_MS = 10 * MINUTE_MS;
export const FACTOR_RECOVERY_CODES = 10;
/** From verifier to moderator, or vice versa. See server/db/migrations/0002-accounts.sql. */
export const ROLE_SWITCH_DAYS = 30;
export const RESET_REDIRECT_MS = 2 * SECOND_MS;
export const NAME_MAX = 100;
export const EMAIL_MAX = 254;
/** Characters of a representative's work title. */
export const WORK_TITLE_MAX = 100;

export const RATING_MIN = 1;
export const RATING_MAX = 5;
export const YEAR_CHOICES = 30;
export const REVIEW_TEXT_MAX = 5000;
/** A scheduled review goes live at a random minute within this many days. */
export const PUBLISH_LATER_DAYS = 3;
/** With gradual deletion, a deleted account's reviews disappear over this many days. */
export const DEPARTURE_DAYS = 28;
/** A doctor who left reviews behind and signs up again cannot post for this many months. */
export const POSTING_PAUSE_MONTHS = 12;
/** With at least this many physicians who could have written a review, the form says "many". */
export const MANY_PHYSICIANS = 20;
/** With at least this many, it says "a few"; with fewer, perhaps only the author. */
export const FEW_PHYSICIANS = 3;
/** One in this many physicians is assumed to have started, or left, in any given year. */
export const PHYSICIANS_PER_YEAR = 10;
export const REPORT_NOTE_MAX = 500;
export const REMOVAL_REASON_MAX = 500;
/** Characters of an employer's reply to a review. */
export const REPLY_MAX = 2000;
/** A representative sees up to this many removed replies. */
export const REMOVED_REPLIES_SHOWN = 100;
/** Percentage of decisions about reviews that another moderator reviews again. */
export const SECOND_LOOK_PERCENT = 5;
/** Characters of an appeal, and of its answer. */
export const APPEAL_MAX = 2000;
/** An author can appeal for this many days after the day of the decision. */
export const APPEAL_DAYS = 20;
/** Reporters see the outcome of their reports for this many days. */
export const REPORT_ANSWER_DAYS = 90;
/** How many recent answers are searched for the caller's reports. */
export const REPORT_ANSWERS_SEARCHED = 2000;
/** `/transparency` shows 0 and numbers from this one up. */
export const SMALLEST_SHOWN = 5;
/** `/transparency` shows this many months. */
export const TRANSPARENCY_MONTHS = 24;
export const DECISION_REASON_MAX = 500;
/** Characters of a legal demand's jurisdiction, sender, and docket number, and of the URL of its review. */
export const JURISDICTION_MAX = 100;
export const DEMAND_SENDER_MAX = 200;
export const DEMAND_DOCKET_MAX = 100;
export const DEMAND_REVIEW_MAX = 300;
/** The largest document of a legal demand, in MB and in bytes. */
export const DEMAND_DOCUMENT_MB = 10;
export const DEMAND_DOCUMENT_BYTES = DEMAND_DOCUMENT_MB * 1024 * 1024;
/** The largest value of a PostgreSQL `integer`. */
export const EMPLOYER_ID_MAX = 2 ** 31 - 1;
export const EMPLOYER_NAME_MAX = 200;
export const NEW_EMPLOYERS_PER_DAY = 5;
/** How many employers of one name are offered. */
export const CANDIDATES_MAX = 50;
/** A merge of employers can be undone for this many days after the day of the merge. */
export const MERGE_UNDO_DAYS = 30;
/** Characters of a street or a website. */
export const EMPLOYER_FACT_MAX = 300;
/** Characters of a correction's source. */
export const CORRECTION_SOURCE_MAX = 300;
export const POSITION_TITLE_MAX = 100;
export const SEARCH_MAX = 200;
/** Search boxes suggest once the text has this many characters. */
export const SUGGEST_FROM = 2;
/** How many suggestions of each kind they show. */
export const SUGGESTED_EMPLOYERS = 5;
export const SUGGESTED_PLACES = 3;
export const SUGGESTED_SPECIALTIES = 2;
export const SUGGESTED_POSITIONS = 3;
export const SUGGESTED_REVIEWS = 3;
/** Maximum length of a text filter, and of several cities separated by commas. */
export const CHOICE_MAX = 100;
export const CITIES_MAX = 1000;
/** Searches count up to this many results. Nobody reads further, and counting more is slow. */
export const SEARCH_COUNT_MAX = 10_000;

/** A specialty's averages are shown once it has this many reviews. */
export const REVIEWS_OF_SPECIALTY = 3;
/** The averages of a year, and of current and former employees, need this many reviews. */
export const REVIEWS_OF_SUBGROUP = 3;
/** A concern is shown if at least this many of an employer's reviews mention it. */
export const REVIEWS_OF_CONCERN = 3;
/** Reviews per page on an employer's page. */
export const EMPLOYER_REVIEWS_PAGE_SIZE = 10;
/** Similar employers listed on an employer's page. */
export const SIMILAR_EMPLOYERS = 4;
/** Fewer reviews than this are too few to compare averages. */
export const REVIEWS_TO_COMPARE = 5;
/** In stars: a smaller lead over the next employer is not highlighted. */
export const BEST_LEAD = 0.5;
/** The comparison quotes one of this many most helpful reviews. */
export const QUOTED_FROM = 20;
/** Characters of a quote in the comparison. */
export const EXCERPT_MAX = 160;
/** Characters of a private note on an employer. It stays in the browser. */
export const NOTE_MAX = 300;

/**
 * The order "Best established" averages an employer's ratings with this many reviews of this
 * rating. Computed in the database: server/db/migrations/0006-changes.sql.
 */
export const ESTABLISHED_WEIGHT = 5;
export const ESTABLISHED_PRIOR = 3;

/** Maximum number of saved entries. */
export const SAVED_MAX = 50;
/** Characters of a saved address. */
export const SAVED_ADDRESS_MAX = 300;
/** Total characters of all saved addresses, plus three for each. */
export const SAVED_CHARACTERS_MAX = 3400;

export const PAGE_MAX = 1_000_000;
export const PAGE_SIZE = 20;
export const PAGE_SIZE_MAX = 100;
export const PAGE_BUTTONS = 5;
export const DASHBOARD_PAGE_SIZE = 5;
export const DASHBOARD_LOAD_MORE_DELAY_MS = 500;

export const OPTION_SEARCH_DEBOUNCE_MS = 300;
export const REVIEWS_FETCH_DEBOUNCE_MS = 300;
export const REVIEWS_SKELETON_AFTER_MS = 150;
export const REVIEWS_URL_SYNC_MS = 100;
export const DIRECTORY_SEARCH_DEBOUNCE_MS = 500;
export const RESIZE_DEBOUNCE_MS = 150;
export const SCROLL_REPEAT_MS = 100;
export const SCROLL_END_MS = 150;
export const OLD_BROWSER_MS = 2 * SECOND_MS;

/** How often the visible queue of the office asks what has changed. */
export const QUEUE_INTERVAL_MS = 60 * SECOND_MS;
export const CAROUSEL_INTERVAL_MS = 5 * SECOND_MS;
export const SWIPE_THRESHOLD_PX = 50;

export const NPI_MASK = '****';
export const NPI_VISIBLE_DIGITS = 4;
export const PRIVACY_ANSWER_DAYS = 45;

/** The years that a review may name: the current one and the 29 before it, newest first. */
export function yearChoices(now: Date): number[] {
  const current = now.getUTCFullYear();
  return Array.from({ length: YEAR_CHOICES }, (_, back) => current - back);
}
