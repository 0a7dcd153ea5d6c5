import { useState } from 'react';
import { titleCase } from '#contract/names.ts';
import type { CaseFile } from '#contract/office/case-queue.ts';
import {
  REPRESENTATIVE_DECISIONS,
  type RepresentativeDecision,
} from '#contract/replies/representatives.ts';
import { decisionField, decisionForm, REASON_FIELD } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import { type DecidedAnywhere, refused, useReread } from '#web/lib/case-decision.tsx';
import { formatLocation } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Facts } from '#web/ui/facts.tsx';
import { caseWrites } from './case-writes.ts';

const DECISIONS = {
  approve: { label: 'Approve', done: 'The representative can reply now.' },
  refuse: { label: 'Refuse', done: 'The representative cannot reply.' },
} as const;

interface RepresentativeFileProps extends DecidedAnywhere {
  file: Pick<CaseFile['file'] & { type: 'representative' }, 'representative'>;
}

/** What a representative entered, next to what is known about the employer. */
export function RepresentativeFile({ file, ...decided }: RepresentativeFileProps) {
  const { user, work_title, employer, mailbox_domain, employer_domain } = file.representative;
  const isSame = mailbox_domain === employer_domain ? 'Yes' : 'No';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 md:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex flex-col gap-8">
        <Facts
          facts={[
            { term: 'Name', value: `${user.first_name} ${user.last_name}` },
            { term: 'Work title', value: work_title },
            { term: 'Email', value: user.email },
            { term: 'Email domain', value: mailbox_domain },
            { term: 'Website domain', value: employer_domain ?? 'Unknown' },
            { term: 'Same domain', value: employer_domain === null ? 'Unknown' : isSame },
            { term: 'Location', value: formatLocation(employer) || 'Unknown' },
            { term: 'Phone', value: employer.phone ?? 'Unknown' },
          ]}
        />
        <p>
          <Link to={paths.employer(employer.id)} className="prose-link">
            The page for {titleCase(employer.name)}
          </Link>
        </p>
      </div>
      <RepresentativeDecisionForm
        userId={user.id}
        employerId={employer.id}
        version={file.representative.version}
        {...decided}
      />
    </div>
  );
}

const RepresentativeForm = decisionForm(REPRESENTATIVE_DECISIONS);

function RepresentativeDecisionForm(
  props: DecidedAnywhere & { userId: string; employerId: number; version: string },
) {
  const { userId, employerId, version, caseId, decision: ref, onDecided } = props;
  const [decision, setDecision] = useState<RepresentativeDecision>();
  const { send, error } = useWrite(caseWrites, `${decision ?? 'approve'}_representative`, {
    onDone: () => decision && onDecided(DECISIONS[decision].done),
    onError: useReread(),
  });
  return (
    <div ref={ref}>
      <Form
        schema={RepresentativeForm}
        fields={[
          decisionField(REPRESENTATIVE_DECISIONS.map((one) => [one, DECISIONS[one].label])),
          {
            ...REASON_FIELD,
            hint: 'For the audit log. A refused representative will see it, too. Do not name anyone.',
          },
        ]}
        onType={(typed) =>
          setDecision(REPRESENTATIVE_DECISIONS.find((one) => one === typed['decision']))
        }
        action={{
          text: decision ? DECISIONS[decision].label : 'Decide',
          variant: decision === 'refuse' ? 'danger' : 'primary',
        }}
        draft={userId}
        error={error}
        failure={refused('representative', userId)}
        onSubmit={({ reason }) =>
          send({
            params: { id: userId },
            body: { reason, employer_id: employerId, case_id: caseId, version },
          })
        }
      >
        <h2 className="font-display text-xl">Decision</h2>
      </Form>
    </div>
  );
}
