import { type Case, ProofRequestRequest } from '#contract/office/case-queue.ts';
import { PROOF_REQUESTS, PROOF_TEXTS } from '#contract/verification/proof-requests.ts';
import { Form } from '#web/form/form.tsx';
import { useReread } from '#web/lib/changed-meanwhile.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { refused } from '#web/lib/refused.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { caseWrites } from './case-writes.ts';

/** What the person of a case was asked for last. */
export function AskedNote({ asked }: { asked: NonNullable<Case['asked']> }) {
  const { request, asked_on, by, is_answered } = asked;
  return (
    <Banner tone="info" className="mb-6">
      <p>
        <strong>{is_answered ? 'Answered' : 'Waits for an answer'}</strong>
        <span className="lining-nums">{`: ${by} asked on ${formatLongDate(asked_on)} (UTC). `}</span>
        {is_answered && <span>The person has done something since.</span>}
      </p>
      <p className="mt-1">{PROOF_TEXTS[request].text}</p>
    </Banner>
  );
}

interface AskFormProps {
  shown: Case;
  /** The account. */
  subject: string;
  version: string;
}

/** Asks a doctor or a representative for something, with a fixed text. The case stays open. */
export function AskForm({ shown: { id, kind }, subject, version }: AskFormProps) {
  const { send, isDone, error } = useWrite(caseWrites, 'ask', { onError: useReread() });
  const requests = PROOF_REQUESTS[kind === 'representative' ? 'representative' : 'doctor'];
  return (
    <section className="mt-10 border-t border-rule pt-6 print:hidden">
      <h2 className="font-display text-xl">Ask for something first</h2>
      <Form
        schema={ProofRequestRequest}
        fields={[
          {
            name: 'request',
            label: 'What to ask for',
            hint: 'The person reads it in an email and on the page about the account, and no text says whether another account exists. Once a day.',
            kind: 'select',
            placeholder: 'Choose a text',
            options: Object.entries(requests).map(([request, { label }]) => [request, label]),
          },
          <Texts key="texts" texts={Object.values(requests)} />,
        ]}
        action={{ text: 'Send', size: 'sm', variant: 'secondary', className: 'self-start' }}
        error={error}
        failure={refused(kind, subject)}
        onSubmit={(body) => send({ params: { id }, body: { ...body, version } })}
        form={{ className: 'mt-5 flex max-w-form flex-col gap-4' }}
      >
        {isDone && <Banner tone="success">Sent. The case waits for an answer.</Banner>}
      </Form>
    </section>
  );
}

const Texts = ({ texts }: { texts: readonly { label: string; text: string }[] }) => (
  <details>
    <summary className="cursor-pointer py-1 text-sm">What the texts say</summary>
    <dl className="flex flex-col gap-2 pt-2 text-sm">
      {texts.map(({ label, text }) => (
        <div key={label}>
          <dt className="font-semibold">{label}</dt>
          <dd className="text-ink-soft">{text}</dd>
        </div>
      ))}
    </dl>
  </details>
);
