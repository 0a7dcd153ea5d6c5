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
import type { ApiError } from '#web/lib/transport-error.ts';
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
export function CorrectionFile({ file, decision, caseId, onDecided }: CorrectionFileProps) {
  const { employer_id, employer, corrections } = file;
  const [done, setDone] = useState<string | null>(null);
  // Here, because the form of a decided correction goes away before the write is done.
  const [last, setLast] = useState<Sent | null>(null);
  const isLast = corrections.length === 1;
  const write = {
    onDone: () => last && (last.closes ? onDecided : setDone)(last.done),
    onError: useReread(),
  };
  const writes = {
    accept: useWrite(caseWrites, isLast ? 'accept_correction' : 'accept_one_of_several', write),
    refuse: useWrite(caseWrites, isLast ? 'refuse_correction' : 'refuse_one_of_several', write),
  };
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
          error={last?.field === correction.field ? writes[last.button].error : null}
          onSubmit={async ({ button, done, ...body }) => {
            if (writes.accept.isBusy || writes.refuse.isBusy) return false;
            setLast({ field: body.field, button, done, closes: isLast });
            return writes[button].send({
              params: { id: employer_id },
              body: { ...body, case_id: caseId },
            });
          }}
        />
      ))}
    </div>
  );
}

type Button = 'accept' | 'refuse';

/** The decision that was sent last. */
interface Sent {
  field: Correction['field'];
  button: Button;
  done: string;
  /** It was about the last correction of the case. */
  closes: boolean;
}

interface CorrectionFormProps {
  employerId: number;
  today: FactValue;
  correction: Correction;
  error: ApiError | null;
  onSubmit: (
    decision: Pick<Correction, 'field' | 'value'> &
      Pick<Sent, 'button' | 'done'> & { today: FactValue; reason: string },
  ) => Promise<boolean>;
}

function CorrectionForm({ employerId, today, correction, error, onSubmit }: CorrectionFormProps) {
  const { field, value, source } = correction;
  const label = EMPLOYER_FACTS[field];
  const results: Readonly<Record<Button, string>> = {
    accept: `${label} is now ${factText(field, value as FactValue)}.`,
    refuse: `${label} stays as it is.`,
  };
  const named = (text: string) => (
    <>
      {text}
      <span className="sr-only">{label}</span>
    </>
  );

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
        error={error}
        failure={refused('correction', String(employerId))}
        onSubmit={({ reason }, button) => {
          // Ctrl+Enter presses neither button.
          if (button !== 'accept' && button !== 'refuse') return false;
          return onSubmit({ field, value, today, reason, button, done: results[button] });
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
