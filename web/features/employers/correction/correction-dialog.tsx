import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { CORRECTION_SENT, CorrectionRequest } from '#contract/employer-corrections.ts';
import { EMPLOYER_FACT_KEYS, type EmployerFact, readFact } from '#contract/employer-facts.ts';
import { EMPLOYER_FACTS } from '#contract/employer-sources.ts';
import type { Employer } from '#contract/employers.ts';
import { CORRECTION_SOURCE_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { FactInput, factText } from '#web/facts/employer-fact.tsx';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { useIsAuthenticated } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import type { CorrectionDraft, CorrectionOnReturn } from './correction-draft.ts';
import { correctionWrites } from './correction-writes.ts';

interface CorrectionDialogProps {
  employer: Employer;
  /** What the reader typed before logging in. */
  draft: CorrectionDraft | null;
  onClose: () => void;
}

/** Asks for the correct value of one fact, and its source. Mount it only while it is open. */
export function CorrectionDialog({ employer, draft, onClose }: CorrectionDialogProps) {
  const [fact, setFact] = useState<EmployerFact>(factOf(draft?.field) ?? 'name');
  const [wrong, setWrong] = useState<Partial<Record<string, string>>>({});
  const { send, isBusy, isDone, error } = useWrite(correctionWrites, 'correct');
  const logIn = useLogIn();
  const isSignedIn = useIsAuthenticated();

  function submit(form: FormData) {
    const typed = Object.fromEntries(form) as unknown as CorrectionDraft;
    const { source } = typed;
    const read = CorrectionRequest.safeParse({
      field: fact,
      value: readFact(fact, typed.value),
      source,
    });
    setWrong(
      Object.fromEntries(read.error?.issues.map(({ path, message }) => [path[0], message]) ?? []),
    );
    if (!read.success) return;
    if (isSignedIn) void send({ params: { id: employer.id }, body: read.data });
    else logIn(typed);
  }

  if (isDone) {
    return (
      // The key makes this a new dialog, so that the focus moves into it.
      <Dialog
        key="sent"
        title="Correction sent"
        onClose={onClose}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p role="status">{CORRECTION_SENT}</p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Suggest a correction"
      action={isSignedIn ? 'Send' : 'Sign in and send'}
      busy={isBusy}
      onSubmit={submit}
      onClose={onClose}
      className="flex flex-col gap-5 text-ink"
    >
      <p className="text-sm text-ink-soft">
        What should the page for {titleCase(employer.name)} say? A curator will check it. Nobody
        sees or stores who suggested it.
      </p>
      {error && <Banner tone="error">{error.message}</Banner>}
      <Field label="Fact">
        {(control) => (
          <Select
            {...control}
            name="field"
            value={fact}
            onChange={({ target }) => setFact(factOf(target.value) ?? fact)}
          >
            {EMPLOYER_FACT_KEYS.map((key) => (
              <option key={key} value={key}>
                {EMPLOYER_FACTS[key]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        key={fact}
        label="Correct value"
        hint={`Current value: ${factText(fact, employer[fact])}`}
        error={wrong['value']}
      >
        {(control) => (
          <FactInput
            {...control}
            fact={fact}
            name="value"
            defaultValue={draft?.field === fact ? draft.value : ''}
          />
        )}
      </Field>
      <Field
        label="How do you know?"
        hint="A web address or a few words. Please leave out anything that identifies you."
        error={wrong['source']}
      >
        {(control) => (
          <TextInput
            {...control}
            name="source"
            maxLength={CORRECTION_SOURCE_MAX}
            defaultValue={draft?.source}
            autoComplete="off"
          />
        )}
      </Field>
    </FormDialog>
  );
}

const factOf = (text: string | undefined) => EMPLOYER_FACT_KEYS.find((fact) => fact === text);

/** Goes to the login page, which returns here with what was typed. */
function useLogIn() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return (correction: CorrectionDraft) => {
    const state: CorrectionOnReturn = {
      correction,
      notice: 'Sign in to send your correction. We’ll keep what you typed.',
    };
    void navigate(paths.login({ redirect: asRedirect(pathname + search) }), { state });
  };
}
