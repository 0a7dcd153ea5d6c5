import { useState } from 'react';
import { EmployerCurationRequest } from '#contract/employer-curation.ts';
import { EMPLOYER_FACT_KEYS, type EmployerFact, readFact } from '#contract/employer-facts.ts';
import { EMPLOYER_FACTS } from '#contract/employer-sources.ts';
import type { Employer } from '#contract/employers.ts';
import { DECISION_REASON_MAX } from '#contract/limits.ts';
import { FactInput } from '#web/facts/employer-fact.tsx';
import { REASON_HINT } from '#web/features/office/decision-form.tsx';
import { messagesByField } from '#web/lib/messages-by-field.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { caseWrites } from './case-writes.ts';

interface FactsFormProps {
  employer: Employer;
}

/** Renames an employer, and changes its other facts. Sends only what was changed. */
export function FactsForm({ employer }: FactsFormProps) {
  const [wrong, setWrong] = useState<Partial<Record<string, string>>>({});
  const { send, isBusy, isDone, error } = useWrite(caseWrites, 'curate');

  function submit(form: FormData) {
    const typed = (name: string) => String(form.get(name) ?? '');
    const changed = EMPLOYER_FACT_KEYS.filter(
      (fact) => typed(fact) !== String(employer[fact] ?? ''),
    );
    const facts = changed.map((fact) => [fact, readFact(fact, typed(fact))]);
    const read = EmployerCurationRequest.safeParse({
      ...Object.fromEntries(facts),
      reason: typed('reason'),
    });
    setWrong(messagesByField(read.error));
    if (read.success) void send({ params: { id: employer.id }, body: read.data });
  }

  return (
    <DataForm aria-label="Facts" onSubmit={submit} className="flex flex-col gap-5">
      {error && <Banner tone="error">{error.message}</Banner>}
      {isDone && <Banner tone="success">The facts have been changed.</Banner>}
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2 lg:grid-cols-3">
        {EMPLOYER_FACT_KEYS.map((fact) => (
          <FactField key={fact} fact={fact} employer={employer} error={wrong[fact]} />
        ))}
      </div>
      <Field label="Reason" hint={REASON_HINT} error={wrong['reason']} className="max-w-form">
        {(control) => <TextInput {...control} name="reason" maxLength={DECISION_REASON_MAX} />}
      </Field>
      <Button type="submit" busy={isBusy} className="self-start">
        Change facts
      </Button>
    </DataForm>
  );
}

interface FactFieldProps extends FactsFormProps {
  fact: EmployerFact;
  error: string | undefined;
}

function FactField({ fact, employer, error }: FactFieldProps) {
  return (
    <Field label={EMPLOYER_FACTS[fact]} error={error}>
      {(control) => (
        <FactInput
          // Resets the field if another curator has changed the fact in the meantime.
          key={String(employer[fact])}
          {...control}
          fact={fact}
          name={fact}
          defaultValue={employer[fact]}
        />
      )}
    </Field>
  );
}
