import { type FormEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { CORRECTION_SENT, CorrectionRequest } from '#contract/employers/employer-corrections.ts';
import { EMPLOYER_FACT_KEYS } from '#contract/employers/employer-facts.ts';
import { EMPLOYER_FACTS } from '#contract/employers/employer-sources.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { CORRECTION_SOURCE_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { factField, factText } from '#web/features/employers/employer-fact.ts';
import { Form } from '#web/form/form.tsx';
import type { Typed } from '#web/form/form-field.tsx';
import { asRedirect, paths } from '#web/lib/paths.ts';
import { useIsAuthenticated } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { type CorrectionDraft, type CorrectionOnReturn, correctionWrites } from './correction.ts';

interface CorrectionDialogProps {
  employer: Employer;
  /** What the reader typed before logging in. */
  draft: CorrectionDraft | null;
  onClose: () => void;
}

/** Asks for the correct value of one fact, and its source. Mount it only while it is open. */
export function CorrectionDialog({ employer, draft, onClose }: CorrectionDialogProps) {
  const [typed, setTyped] = useState<Typed>({});
  const fact = factOf(typed['field']) ?? factOf(draft?.field) ?? 'name';
  const { send, isDone, error } = useWrite(correctionWrites, 'correct');
  const logIn = useLogIn();
  const isSignedIn = useIsAuthenticated();

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
    <Form
      dialog={{ title: 'Suggest a correction' }}
      schema={CorrectionRequest}
      fields={[
        {
          name: 'field',
          label: 'Fact',
          kind: 'select',
          value: fact,
          options: EMPLOYER_FACT_KEYS.map((key) => [key, EMPLOYER_FACTS[key]]),
          onInput: clearValue,
        },
        {
          ...factField(fact, draft?.field === fact ? draft.value : ''),
          key: fact,
          name: 'value',
          label: 'Correct value',
          hint: `Current value: ${factText(fact, employer[fact])}`,
        },
        {
          name: 'source',
          label: 'How do you know?',
          hint: 'A web address or a few words. Please leave out anything that identifies you.',
          value: draft?.source,
          maxLength: CORRECTION_SOURCE_MAX,
          autoComplete: 'off',
        },
      ]}
      onType={setTyped}
      action={isSignedIn ? 'Send' : 'Sign in and send'}
      // What was typed before the login is newer than what is kept.
      draft={draft ? undefined : `correction:${employer.id}`}
      error={error}
      onSubmit={(body) =>
        isSignedIn
          ? send({ params: { id: employer.id }, body })
          : logIn(typed as unknown as CorrectionDraft)
      }
      onCancel={onClose}
    >
      <p className="text-sm text-ink-soft">
        What should the page for {titleCase(employer.name)} say? A curator will check it. Nobody
        sees or stores who suggested it.
      </p>
    </Form>
  );
}

// On input, so that the form does not keep the value of another fact.
function clearValue({ currentTarget }: FormEvent<HTMLElement>) {
  const value = (currentTarget as HTMLSelectElement).form?.elements.namedItem('value');
  (value as HTMLInputElement | HTMLSelectElement).value = '';
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
