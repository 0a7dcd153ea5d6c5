import { ERRORS } from '#contract/errors.ts';
import { AppError } from '#server/app-error.ts';

/** The refusal of a code, at its field, so that the form says it there. */
export const wrongCode = () =>
  new AppError('invalid_proof_code', { fields: { code: [ERRORS.invalid_proof_code.text] } });
