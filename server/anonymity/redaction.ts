/** Fields that are never logged (specification, section 3, "Log redaction list"). */
export const NEVER_LOGGED = [
  'password',
  'token',
  'refresh',
  'access',
  'npi',
  'license_number',
  'ssn',
  'phone',
  'salary',
  'compensation_rating',
  'review_text',
  'pros',
  'cons',
  'email',
  'first_name',
  'last_name',
] as const;

/** Paths for pino's `redact`: the fields wherever they stand in the first three levels. */
export const REDACTED_PATHS = NEVER_LOGGED.flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
]);
