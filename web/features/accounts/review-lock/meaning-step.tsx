import { Banner } from '#web/ui/banner.tsx';
import type { LockPurpose } from './lock-dialog.tsx';

/** What happens next, and the warning, before anything is done. */
export function MeaningStep({ purpose }: { purpose: LockPurpose }) {
  return (
    <div className="mt-2 flex flex-col gap-4">
      {purpose === 'lock' ? (
        <>
          <p>
            After this, nobody at Curbside can look up who wrote your reviews. A backup of the
            database from before still leads to what you had written by then, and to nothing later.
          </p>
          <p>
            You get a recovery code to keep. All other sessions are signed out; you can sign in
            again there. You can unlock your reviews at any time. A recovery code from an earlier
            lock stops working.
          </p>
        </>
      ) : (
        <p>
          Your reviews stay locked. You get a new recovery code, and the old one stops working. All
          other sessions are signed out; you can sign in again there.
        </p>
      )}
      <Banner tone="info">
        <p className="font-semibold">
          Keep the code safe: without it, you could lose your reviews.
        </p>
        <p className="mt-1">
          If you forget your password, you need your recovery code or a browser that is still signed
          in. Without either, your reviews stay published and belong to nobody: you can no longer
          edit or delete them, and we cannot give them back to you.
        </p>
      </Banner>
    </div>
  );
}
