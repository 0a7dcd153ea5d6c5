import { Banner } from '#web/ui/banner.tsx';

/** Before a reset: what becomes of locked reviews. The page cannot know whether they are locked. */
export function ResetWarning({ signedInAs }: { signedInAs: string | undefined }) {
  return (
    <Banner tone="info">
      <p>
        If you locked your reviews, a reset without the recovery code leaves them published, and
        they belong to nobody: you can no longer edit or delete them.
      </p>
      <p className="mt-2">
        {signedInAs === undefined ? (
          <>
            A browser that is still signed in to your account needs no code. If you have one, open
            the link from the mail there.
          </>
        ) : (
          <>
            This browser is signed in as <strong>{signedInAs}</strong>. If you reset the password of
            that account here, you need no code.
          </>
        )}
      </p>
    </Banner>
  );
}
