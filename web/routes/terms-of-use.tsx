import { TERMS_SECTIONS } from '#web/features/site/legal/terms-sections.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { LegalPage } from '#web/ui/text-page.tsx';

export const meta = () =>
  pageMeta(
    'Terms of Use',
    'The terms for using Curbside: who may post, what may be posted, and what we may remove.',
  );

export default function TermsOfUse() {
  return (
    <LegalPage
      title="Terms of Use"
      summary="In short: Curbside is free and non-commercial, for US healthcare professionals 18 and older, with one account each. Write what is true, leave patients out of it, and understand that we are not responsible for what others write."
      sections={TERMS_SECTIONS}
    />
  );
}
