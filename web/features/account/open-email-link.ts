import type { Message } from '#contract/problem.ts';
import { api, session, settledSession } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';

export interface LinkOutcome {
  isDone: boolean;
  text: string;
}

/** A link works once, but its loader may run again: signing out interrupts and repeats it. */
const opened = new Map<string, Promise<LinkOutcome>>();

/** Hands the token of a mail's link to the API; whoever is signed in here sees the change. */
export function openEmailLink(path: string, request: Request): Promise<LinkOutcome> {
  const outcome = opened.get(request.url) ?? open(path, request);
  opened.set(request.url, outcome);
  return outcome;
}

async function open(path: string, request: Request): Promise<LinkOutcome> {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  try {
    const { message } = await api.post<Message>(path, { token });
    const { user } = await settledSession();
    if (user) await session.reload();
    return { isDone: true, text: message };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { isDone: false, text: error.message };
  }
}
