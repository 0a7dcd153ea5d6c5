import type { WrongCodes } from '#contract/office/staff.ts';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { formatLongDate, plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';

/** A second-factor code. */
export const CODE_FIELD: FieldSpec = {
  name: 'code',
  label: 'Code',
  autoComplete: 'one-time-code',
  maxLength: 40,
  takesFocus: true,
};

/** Warns about wrong codes, which may be someone else's guesses. */
export function WrongCodesNote({ count, last_on }: WrongCodes) {
  return (
    <Banner tone="error">
      {plural(count, 'wrong code')} since your last visit, the last one on {formatLongDate(last_on)}
      . If that was not you, someone knows your password.{' '}
      {/* Not a Link: the dialog is outside of the router. */}
      <a href={paths.profile()} className="prose-link">
        Change it.
      </a>
    </Banner>
  );
}
