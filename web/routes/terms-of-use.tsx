import { LegalPage } from '#web/features/legal/legal-page.tsx';
import { TERMS_SECTIONS } from '#web/features/legal/terms-sections.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';

export const meta = () => pageMeta('Terms of Use', 'The terms on which you may use Curbside.');

export default function TermsOfUse() {
  return (
    <LegalPage
      title="Terms of Use"
      summary="In short: Curbside is free and non-commercial, for US healthcare professionals of 18 and older, one account each. Write what is true, leave patients out of it, and know that we cannot answer for what others write."
      sections={TERMS_SECTIONS}
    />
  );
}
