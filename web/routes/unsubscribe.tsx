import type { FormEvent } from 'react';
import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { call, pageWrites, useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

const TITLE = 'Stop the weekly email';

export const meta = () => pageMeta(TITLE);

const writes = pageWrites({ unsubscribe: call(savedEndpoints.unsubscribe) }, { revalidates: [] });
export const clientAction = writes.clientAction;

/**
 * The page that the link in the weekly email opens. Opening it changes nothing, because mail
 * systems open links, too. Without script, the form posts to the same URL.
 */
export default function Unsubscribe() {
  const { send, isBusy, isDone, error } = useWrite(writes, 'unsubscribe');
  const stop = (event: FormEvent) => {
    event.preventDefault();
    const token = new URLSearchParams(window.location.search).get('token') ?? '';
    void send({ body: { token } });
  };
  return (
    <div className="page-width">
      <PageHeading title={TITLE} />
      <div className="flex max-w-measure flex-col gap-6 pt-2">
        {isDone ? (
          <Banner tone="success" takesFocus>
            You will get no more weekly emails.
          </Banner>
        ) : (
          <form method="post" onSubmit={stop} className="flex flex-col items-start gap-5">
            <p className="text-ink-soft">
              Your saved list stays. You can turn the email back on at any time.
            </p>
            {error && <Banner tone="error">{error.message}</Banner>}
            <Button type="submit" busy={isBusy}>
              Stop the weekly email
            </Button>
          </form>
        )}
        <Link to={paths.saved()} className={buttonClass('secondary', 'md', 'self-start')}>
          Go to Saved
        </Link>
      </div>
    </div>
  );
}
