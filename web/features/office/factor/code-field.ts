import type { FieldSpec } from '#web/form/fields.ts';

/** A second-factor code. */
export const CODE_FIELD: FieldSpec = {
  name: 'code',
  label: 'Code',
  autoComplete: 'one-time-code',
  maxLength: 40,
  takesFocus: true,
};
