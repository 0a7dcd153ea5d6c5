import { type ReactNode, useState } from 'react';
import type { accountEndpoints } from '#contract/endpoints/account.ts';
import { Form } from '#web/form/form.tsx';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { session, settledSession } from '#web/lib/session.ts';
import { call, pageWrites, useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { AccountScreen } from './account-screen.tsx';

/** The token of the link. Read in the browser, so that the server never caches a page with it. */
export const tokenIn = ({ url }: Request) => new URL(url).searchParams.get('token') ?? '';

export const emailLinkWrites = (
  endpoint: (typeof accountEndpoints)['confirmEmail' | 'stopEmailChange'],
) => pageWrites({ follow: call(endpoint, reloadAccount) }, { revalidates: [] });

/** Shows a signed-in user what the link changed, or signs them out if it ended their session. */
async function reloadAccount(): Promise<void> {
  const { user } = await settledSession();
  if (user) await session.reload();
}

interface EmailLinkScreenProps {
  title: string;
  /** What the button does. */
  says: string;
  button: string;
  token: string;
  writes: ReturnType<typeof emailLinkWrites>;
  /** What to do after it worked. By default, a link to the profile. */
  children?: ReactNode;
}

/**
 * The page of a link from an email about a change of address. Opening it changes nothing, because
 * mail systems open links, too.
 */
export function EmailLinkScreen(props: EmailLinkScreenProps) {
  const { title, says, button, token, writes, children } = props;
  const [message, setMessage] = useState<string | null>(null);
  const { send, error } = useWrite(writes, 'follow', {
    onDone: (answer) => setMessage(answer.message),
  });
  const toProfile = (
    <Link to={paths.profile()} className={buttonClass('secondary', 'md', 'self-start')}>
      Go to my profile
    </Link>
  );
  if (message !== null) {
    return (
      <AccountScreen title={title}>
        <Banner tone="success" takesFocus>
          {message}
        </Banner>
        {children ?? toProfile}
      </AccountScreen>
    );
  }
  return (
    <AccountScreen title={title}>
      <Form
        fields={[]}
        action={{ text: button, className: 'self-start' }}
        error={error}
        onSubmit={() => send({ body: { token } })}
      >
        <p className="text-ink-soft">{says}</p>
      </Form>
      {toProfile}
    </AccountScreen>
  );
}
