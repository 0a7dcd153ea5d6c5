import { type ReactNode, useState } from 'react';
import type { DoctorsOfNpi } from '#contract/case-queue.ts';
import type { VerificationChecks } from '#contract/doctors.ts';
import { REASON_FIELD, Reason } from '#web/features/office/decision-fields.ts';
import { Form } from '#web/form/form.tsx';
import { forgetOfficeDraft } from '#web/lib/office-drafts.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { caseWrites } from './case-writes.ts';
import { DoctorFile } from './doctor-file.tsx';

interface NpiAccountsProps {
  npi: string;
  found: DoctorsOfNpi;
  renderChecks: (checks: VerificationChecks) => ReactNode;
}

/** All accounts that name an NPI, each with its decision form, and the ban on the NPI. */
export function NpiAccounts({ npi, found, renderChecks }: NpiAccountsProps) {
  const [done, setDone] = useState<string | null>(null);
  const { is_banned, results } = found;
  return (
    <>
      {done && (
        <Banner tone="success" className="mb-8">
          {done}
        </Banner>
      )}
      {results.length === 0 && <p>No account has this NPI.</p>}
      {is_banned && <LiftBan npi={npi} onDecided={setDone} />}
      {results.map((doctor) => (
        <section key={doctor.user.id} className="curb-rule mt-8 pt-6">
          <h2 className="mb-6 font-display text-xl wrap-anywhere">
            {doctor.user.first_name} {doctor.user.last_name}
          </h2>
          <DoctorFile
            doctor={doctor}
            isEviction={false}
            renderChecks={renderChecks}
            onDecided={setDone}
          />
        </section>
      ))}
    </>
  );
}

function LiftBan({ npi, onDecided }: { npi: string; onDecided: (done: string) => void }) {
  const draft = `unban:${npi}`;
  const { send, error } = useWrite(caseWrites, 'unban', {
    onDone({ message }) {
      forgetOfficeDraft(draft);
      onDecided(message);
    },
  });
  return (
    <section aria-label="Ban" className="max-w-form">
      <p className="pb-4">
        This NPI is banned. No account can be verified with it, except after a mailbox or a match
        alone: then a letter or an administrator still can.
      </p>
      <Form
        schema={Reason}
        fields={[REASON_FIELD]}
        action="Lift the ban"
        draft={draft}
        error={error}
        onSubmit={({ reason }) => send({ body: { npi, reason } })}
      >
        <h2 className="font-display text-xl">Decision</h2>
      </Form>
    </section>
  );
}
