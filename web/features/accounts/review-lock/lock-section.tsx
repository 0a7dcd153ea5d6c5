import { Lock, LockOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { newRecoveryCode } from '#contract/recovery-code.ts';
import type { ReviewLock } from '#contract/review-lock.ts';
import { FAILURES } from '#web/features/accounts/failures.ts';
import { LoadFailure, ProfileSection } from '#web/features/accounts/profile-section.tsx';
import { Link } from '#web/lib/link.tsx';
import { paths, REVIEW_LOCK_ID } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LockDialog } from './lock-dialog.tsx';
import type { LockPurpose } from './lock-steps.tsx';
import { type LockEligibility, lockEligibility } from './review-lock.ts';
import { UnlockDialog } from './unlock-dialog.tsx';

interface LockSectionProps {
  user: User;
  doctor: Doctor | null;
  /** Null if it could not be loaded. */
  lock: ReviewLock | null;
}

export function LockSection({ user, doctor, lock }: LockSectionProps) {
  return (
    <ProfileSection id={REVIEW_LOCK_ID} title="Lock my reviews">
      <div className="flex flex-col gap-3 text-ink-soft">
        <p>
          Once your reviews are locked, nobody at Curbside can look up who wrote them, even with the
          database and all of its keys. Everything else works as before, on every device you sign in
          on.
        </p>
        <p>
          There is a tradeoff. If you forget your password, you’ll need your recovery code or a
          browser that is still signed in. Without either one, your reviews stay published, but you
          can no longer edit or delete them.
        </p>
      </div>
      {lock === null ? (
        <LoadFailure>{FAILURES.lockLoad}</LoadFailure>
      ) : (
        <LockControls
          user={user}
          isLocked={lock.locked}
          eligibility={lockEligibility(lock, doctor)}
        />
      )}
    </ProfileSection>
  );
}

interface LockControlsProps {
  user: User;
  isLocked: boolean;
  eligibility: LockEligibility;
}

function LockControls({ user, isLocked, eligibility }: LockControlsProps) {
  const [opened, setOpened] = useState<LockPurpose | 'unlock' | null>(null);
  // In memory only. Kept when the dialog closes, because the user may have written it down already.
  const [code, setCode] = useState(newRecoveryCode);
  const [message, setMessage] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const Icon = isLocked ? Lock : LockOpen;

  // Runs after the dialog has closed, because a modal dialog traps the focus.
  useEffect(() => {
    if (message !== null) opener.current?.focus();
  }, [message]);

  function finish(done: string) {
    setOpened(null);
    setMessage(done);
    setCode(newRecoveryCode());
  }

  function open(dialog: LockPurpose | 'unlock') {
    setMessage(null);
    setOpened(dialog);
  }

  const close = () => setOpened(null);
  return (
    <>
      {message !== null && <Banner tone="success">{message}</Banner>}
      <p className="flex items-center gap-2 font-semibold">
        <Icon aria-hidden className="size-5 shrink-0" />
        <span>{isLocked ? 'Your reviews are locked.' : 'Your reviews are not locked.'}</span>
      </p>
      {!isLocked && <LockEligibilityNote eligibility={eligibility} />}
      {(isLocked || eligibility !== 'needs-proof') && (
        <div className="flex flex-wrap gap-3">
          <Button
            ref={opener}
            variant="secondary"
            onClick={() => open(isLocked ? 'new-code' : 'lock')}
          >
            {isLocked ? 'Create a new recovery code' : 'Lock my reviews'}
          </Button>
          {isLocked && (
            <Button variant="quiet" onClick={() => open('unlock')}>
              Unlock my reviews
            </Button>
          )}
        </div>
      )}
      {(opened === 'lock' || opened === 'new-code') && (
        <LockDialog user={user} purpose={opened} code={code} onClose={close} onDone={finish} />
      )}
      {opened === 'unlock' && <UnlockDialog user={user} onClose={close} onDone={finish} />}
    </>
  );
}

/**
 * Locking requires a proof, because nobody could find the reviews of an impostor who locked them.
 */
function LockEligibilityNote({ eligibility }: { eligibility: LockEligibility }) {
  if (eligibility === 'proven') return null;
  if (eligibility === 'match-is-enough') {
    return (
      <p className="text-sm text-ink-soft">
        On this site, a match with the NPI registry is enough to lock your reviews. Other Curbside
        sites also require proof that the NPI is yours.
      </p>
    );
  }
  return (
    <p key="needs-proof" className="text-ink-soft">
      To lock your reviews, first prove that the NPI is yours. Otherwise, an impostor could lock
      reviews, and nobody could find them.{' '}
      <Link to={paths.verificationRequired()} className="prose-link whitespace-nowrap">
        Prove your NPI
      </Link>
    </p>
  );
}
