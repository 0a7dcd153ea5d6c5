import { useRevalidator } from 'react-router';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';

/** Part of a page could not be loaded: says so, and loads it again on request. */
export function LoadFailure({ children }: { children: string }) {
  const { state, revalidate } = useRevalidator();
  return (
    <>
      <Banner tone="error">{children}</Banner>
      <Button
        variant="secondary"
        className="self-start"
        busy={state === 'loading'}
        onClick={() => void revalidate()}
      >
        Try again
      </Button>
    </>
  );
}
