import type { accountEndpoints } from '#contract/endpoints/account.ts';
import { api, session, settledSession } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';

export interface LinkOutcome {
  isDone: boolean;
  text: string;
}

type EmailLinkEndpoint = (typeof accountEndpoints)['confirmEmail' | 'stopEmailChange'];

/** Hands the token of a mail's link to the API. */
export async function openEmailLink(
  endpoint: EmailLinkEndpoint,
  request: Request,
): Promise<LinkOutcome> {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  try {
    const { message } = await api.call(endpoint, { body: { token } });
    return { isDone: true, text: message };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { isDone: false, text: error.message };
  }
}

/** Whoever is signed in here sees what a link has changed, or is signed out by it. */
export async function followAccount(): Promise<void> {
  const { user } = await settledSession();
  if (user) await session.reload();
}
