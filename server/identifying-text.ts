import { describeFinding, type Finding } from '#contract/reviews/screening.ts';
import { AppError, type FieldErrors } from './errors/app-error.ts';

/** Throws `identifying_text` if screening found something. */
export function refuseIdentifyingText(findings: readonly Finding[], detail?: string): void {
  if (findings.length === 0) return;
  const fields: FieldErrors = {};
  for (const finding of findings) {
    fields[finding.field] = [...(fields[finding.field] ?? []), describeFinding(finding)];
  }
  throw new AppError('identifying_text', {
    ...(detail && { detail }),
    fields,
    extra: { findings },
  });
}
