import type { ReactNode } from 'react';
import { LEGAL_EFFECTIVE_DATE } from '#contract/limits.ts';

export interface TextSection {
  /** The anchor of the section. */
  id: string;
  title: string;
  body: ReactNode;
}

interface TextPageProps {
  title: string;
  /** Shown below the title. */
  note?: ReactNode;
  summary: ReactNode;
  sections: readonly TextSection[];
}

/** A long text: a summary, then numbered sections with a table of contents. */
export function TextPage({ title, note, summary, sections }: TextPageProps) {
  return (
    <div className="page-width wrap-anywhere">
      <header className="pt-12 pb-8 md:pt-16">
        <h1 className="font-display text-3xl tracking-[-0.012em]">{title}</h1>
        {note && <p className="mt-3 text-sm text-ink-faint">{note}</p>}
      </header>
      <div className="curb-rule grid grid-cols-[minmax(0,1fr)] gap-x-16 pt-8 lg:grid-cols-[17rem_minmax(0,1fr)] print:block">
        <div className="max-w-measure text-lg text-pretty lg:col-start-2">{summary}</div>
        <nav
          aria-label="Contents"
          className="text-sm max-lg:mt-10 lg:sticky lg:top-8 lg:row-span-2 lg:row-start-1 lg:self-start print:hidden"
        >
          <h2 className="label-caps mb-2 text-base text-ink-faint">Contents</h2>
          <ol>
            {sections.map((section, place) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="grid grid-cols-[1.75rem_1fr] py-1 text-ink-soft hover:text-accent"
                >
                  <span>{place + 1}</span>
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="max-w-measure lg:col-start-2">
          {sections.map((section, place) => (
            <section key={section.id} aria-labelledby={section.id} className="mt-10">
              <h2 id={section.id} className="scroll-mt-6 break-after-avoid text-lg font-semibold">
                <span aria-hidden className="mr-3 font-normal text-accent">
                  {place + 1}
                </span>
                {section.title}
              </h2>
              <div className="mt-3 flex flex-col gap-3 text-ink-soft [&_a]:prose-link [&_strong]:text-ink [&_strong]:lining-nums [&_ul]:flex [&_ul]:list-disc [&_ul]:flex-col [&_ul]:gap-1.5 [&_ul]:pl-5">
                {section.body}
              </div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

/** A legal text, with its dates. */
export function LegalPage(props: Omit<TextPageProps, 'note'>) {
  return (
    <TextPage
      {...props}
      note={`Effective ${LEGAL_EFFECTIVE_DATE}. Last updated ${LEGAL_EFFECTIVE_DATE}.`}
    />
  );
}
