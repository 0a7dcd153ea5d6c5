import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Doctor } from '#contract/doctors.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { authFailure, FAILURES } from '#web/features/accounts/failures.ts';
import { api, session } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';

const LOOKS = 10;
const LOOK_EVERY_MS = 3000;

export type RegistryCheckState =
  | 'idle'
  | 'checking'
  | 'answered'
  | 'unanswered'
  | { failure: string };

/**
 * Asks the registry again, and looks for its answer until it is there. A page that is opened while
 * the registry is asked looks by itself: the answer mostly comes within seconds of signing up.
 */
export function useRegistryCheck({ verification: { status } }: Doctor) {
  const isPending = status === 'pending';
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [looks, setLooks] = useState(0);
  const [wasAsked, setAsked] = useState(false);
  const { revalidate } = useRevalidator();

  useEffect(() => {
    if (!isPending || looks >= LOOKS) return;
    const timer = setTimeout(async () => {
      const doctor = await loadDoctor();
      if (doctor) session.setDoctor(doctor);
      // The proofs that can be given depend on the answer.
      if (doctor && doctor.verification.status !== 'pending') await revalidate();
      else setLooks(looks + 1);
    }, LOOK_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isPending, looks, revalidate]);

  async function checkAgain() {
    setSending(true);
    setFailure(null);
    setAsked(false);
    try {
      session.setDoctor(await api.call(verificationEndpoints.checkRegistry, { body: {} }));
      setLooks(0);
      setAsked(true);
      await revalidate();
    } catch (error) {
      setFailure(authFailure(error, FAILURES.check));
    } finally {
      setSending(false);
    }
  }

  function state(): RegistryCheckState {
    if (isSending) return 'checking';
    if (failure !== null) return { failure };
    if (isPending) return looks < LOOKS ? 'checking' : 'unanswered';
    return wasAsked ? 'answered' : 'idle';
  }

  return { state: state(), checkAgain };
}

/** Null where there is no answer: the next look may find one. */
async function loadDoctor(): Promise<Doctor | null> {
  try {
    return await api.call(sessionEndpoints.doctor);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
