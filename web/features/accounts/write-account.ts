import type { ClientActionFunctionArgs } from 'react-router';
import type { Answer, Endpoint, Input } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { api, session } from '#web/lib/session.ts';
import { type Outcome, useWrite, writeAction } from '#web/lib/write.ts';

type Endpoints = typeof accountEndpoints;

/** Locking ends every session and begins a new one. The page shows whether reviews are locked. */
const LOCKING = ['lockReviews', 'unlockReviews'] as const;
type Locking = (typeof LOCKING)[number];

type Name =
  | Locking
  | 'update'
  | 'changePassword'
  | 'requestPasswordReset'
  | 'export'
  | 'exportWithPassword'
  | 'delete';

const isLocking = (name: Name): name is Locking => (LOCKING as readonly Name[]).includes(name);

interface AccountWrite {
  name: Name;
  /** Checked by `useAccountWrite`. */
  input: never;
}

/** The `clientAction` of the profile. */
export const writeAccount = writeAction(async ({ request }: ClientActionFunctionArgs) => {
  const { name, input }: AccountWrite = await request.json();
  if (isLocking(name)) return api.replaceSession(accountEndpoints[name], input);
  const answer = await api.call<Endpoint>(accountEndpoints[name], input);
  const hasPendingEmail = session.get().user?.pending_email !== null;
  if (name === 'update' || (name === 'changePassword' && hasPendingEmail)) await session.reload();
  return answer;
});

export function useAccountWrite<N extends Name>(
  name: N,
  onOutcome: (outcome: Outcome<Answer<Endpoints[N]>>) => void,
) {
  const { send, isBusy } = useWrite(onOutcome, { defaultShouldRevalidate: isLocking(name) });
  return { isBusy, send: (input: Input<Endpoints[N]>) => send({ name, input }) };
}
