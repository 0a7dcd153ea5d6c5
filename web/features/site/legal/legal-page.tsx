import { LEGAL_EFFECTIVE_DATE } from '#contract/limits.ts';
import { TextPage, type TextPageProps } from '#web/ui/text-page.tsx';

/** A legal text, with its dates. */
export function LegalPage(props: Omit<TextPageProps, 'note'>) {
  return (
    <TextPage
      {...props}
      note={`Effective ${LEGAL_EFFECTIVE_DATE}. Last updated ${LEGAL_EFFECTIVE_DATE}.`}
    />
  );
}
