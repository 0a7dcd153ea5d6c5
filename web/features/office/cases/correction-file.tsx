import { useState } from 'react';
import { type Correction, isAddress } from '#contract/employers/employer-corrections.ts';
import type { FactValue } from '#contract/employers/employer-facts.ts';
import { EMPLOYER_FACTS } from '#contract/employers/employer-sources.ts';
import { titleCase } from '#contract/names.ts';
import type { CaseFile } from '#contract/office/case-queue.ts';
import { factText } from '#web/features/employers/employer-fact.ts';
import { REASON_FIELD, Reason } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import { type Decided, refused, useReread } from '#web/lib/case-decision.tsx';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { caseWrites } from './case-writes.ts';

interface CorrectionFileProps extends Decided {
  file: CaseFile['file'] & { type: 'correction' };
}

/**
 * The corrections proposed for an employer, next to its current facts. Who proposed them is not
 * stored.
 */
export function CorrectionFile({ file, decision, ...decided }: CorrectionFileProps) {
  const { employer_id, employer, corrections } = file;
  const [done, setDone] = useState<string | null>(null);
  return (
    <div ref={decision} className="flex flex-col gap-10">
      <p>
        <Link to={paths.employer(employer.id)} className="prose-link">
          The page for {titleCase(employer.name)}
        </Link>
      </p>
      {done && <Banner tone="success">{done}</Banner>}
      {corrections.map((correction) => (
        <CorrectionForm
          key={correction.field}
          employerId={employer_id}
          today={employer[correction.field]}
          correction={correction}
          {...decided}
          isLast={corrections.length === 1}
          onKept={setDone}
        />
      ))}
    </div>
  );
}

interface CorrectionFormProps extends Omit<Decided, 'decision'> {
  employerId: number;
  today: FactValue;
  correction: Correction;
  /** The decision closes the case. */
  isLast: boolean;
  /** Called with what was decided if the case stays open. */
  onKept: (done: string) => void;
}

function CorrectionForm(props: CorrectionFormProps) {
  const { employerId, today, correction, caseId, isLast, onDecided, onKept } = props;
  const { field, value, source } = correction;
  const label = EMPLOYER_FACTS[field];
  const [last, setLast] = useState<string>();
  const finish = isLast ? onDecided : onKept;
  const onError = useReread();
  const accept = useWrite(caseWrites, isLast ? 'accept_correction' : 'accept_one_of_several', {
    onDone: () => finish(`${label} is now ${factText(field, value as FactValue)}.`),
    onError,
  });
  const refuse = useWrite(caseWrites, isLast ? 'refuse_correction' : 'refuse_one_of_several', {
    onDone: () => finish(`${label} stays as it is.`),
    onError,
  });
  const named = (text: string) => (
    <>
      {text}
      <span className="sr-only">{label}</span>
    </>
  );
  const writes: Readonly<Record<string, typeof accept | typeof refuse>> = { accept, refuse };

  return (
    <section className="flex flex-col gap-5 border-t border-rule pt-4">
      <h2 className="font-display text-xl">{label}</h2>
      <dl className="grid gap-x-8 gap-y-4 wrap-anywhere sm:grid-cols-3">
        <Fact term="Current" text={factText(field, today)} />
        <Fact term="Proposed" text={factText(field, value as FactValue)} />
        <div>
          <dt className="label-caps text-ink-faint">Source</dt>
          <dd>
            {isAddress(source) ? (
              <a href={source} target="_blank" rel="noreferrer" className="prose-link">
                {source}
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
            ) : (
              source
            )}
          </dd>
        </div>
      </dl>
      <Form
        schema={Reason}
        fields={[{ ...REASON_FIELD, rows: 2, className: 'max-w-form' }]}
        action={[
          { value: 'accept', text: named('Accept'), variant: 'primary' },
          { value: 'refuse', text: named('Refuse'), variant: 'secondary' },
        ]}
        draft={`correction:${employerId}:${field}`}
        error={writes[last ?? '']?.error}
        failure={refused('correction', String(employerId))}
        onSubmit={({ reason }, button) => {
          setLast(button);
          const body = { field, value, today, reason, case_id: caseId };
          // Ctrl+Enter presses neither button.
          return writes[button]?.send({ params: { id: employerId }, body });
        }}
      />
    </section>
  );
}

function Fact({ term, text }: { term: string; text: string }) {
  return (
    <div>
      <dt className="label-caps text-ink-faint">{term}</dt>
      <dd className="lining-nums">{text}</dd>
    </div>
  );
}
