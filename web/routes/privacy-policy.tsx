import { PRIVACY_SECTIONS } from '#web/features/site/legal/privacy-sections.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { LegalPage } from '#web/ui/text-page.tsx';

export const meta = () =>
  pageMeta('Privacy Policy', 'What Curbside knows about you, why, and what you can ask for.');

export default function PrivacyPolicy() {
  return (
    <LegalPage
      title="Privacy Policy"
      summary="In short: we need your NPI to know that you are a doctor, and we never show it. No targeted advertising, no sale of data, and no names on reviews."
      sections={PRIVACY_SECTIONS}
    />
  );
}
