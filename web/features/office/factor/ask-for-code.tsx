import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { factorEndpoints } from '#contract/endpoints/office.ts';
import type { WrongCodes } from '#contract/office/staff.ts';
import { Form } from '#web/form/form.tsx';
import { api } from '#web/lib/session.ts';
import { ApiError, textMember } from '#web/lib/transport-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CODE_FIELD, WrongCodesNote } from './code-field.tsx';

interface CodeDialogProps {
  onDone: () => void;
  onClose: () => void;
}

/** Asks for a second-factor code before the office opens, or before a sensitive action. */
function CodeDialog({ onDone, onClose }: CodeDialogProps) {
  const [error, setError] = useState<string>();
  const [mistakes, setMistakes] = useState(0);
  const [guesses, setGuesses] = useState<WrongCodes | null>(null);

  async function submit({ code = '' }) {
    setError(undefined);
    try {
      const { wrong_codes: wrong } = await api.call(factorEndpoints.enter, { body: { code } });
      if (wrong && wrong.count > mistakes) setGuesses(wrong);
      else onDone();
    } catch (failure) {
      const { body } = (failure instanceof ApiError && failure.response) || {};
      if (textMember(body, 'code') === 'invalid_factor_code') setMistakes(mistakes + 1);
      setError(failure instanceof ApiError ? failure.message : 'Please try again.');
    }
  }

  if (guesses) {
    return (
      <Dialog
        title="Wrong codes"
        onClose={onDone}
        actions={<Button onClick={onDone}>Continue</Button>}
      >
        <WrongCodesNote {...guesses} />
      </Dialog>
    );
  }
  return (
    <Form
      dialog={{ title: 'Authenticator code' }}
      fields={[{ ...CODE_FIELD, hint: 'Six digits, or one of your recovery codes.', error }]}
      action="Continue"
      onSubmit={submit}
      onCancel={onClose}
    >
      <p>Enter the code from your authenticator app to continue.</p>
    </Form>
  );
}

/** Renders outside of the page's React tree, because a loader or a write waits for the result. */
export function askForCode(): Promise<boolean> {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host, { identifierPrefix: 'office' });
  return new Promise((resolve) => {
    const close = (isRight: boolean) => {
      root.unmount();
      host.remove();
      resolve(isRight);
    };
    root.render(<CodeDialog onDone={() => close(true)} onClose={() => close(false)} />);
  });
}
