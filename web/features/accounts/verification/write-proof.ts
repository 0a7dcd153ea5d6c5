import type { ClientActionFunctionArgs } from 'react-router';
import type { Answer, Endpoint, Input } from '#contract/endpoint.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { api, session } from '#web/lib/session.ts';
import { type Outcome, useWrite, writeAction } from '#web/lib/write.ts';

type Endpoints = typeof verificationEndpoints;
type Name = 'orderLetter' | 'mailMailboxCode' | 'confirmLetter' | 'confirmMailbox';
type Body<N extends Name> = Input<Endpoints[N]>['body'];

interface ProofWrite {
  name: Name;
  /** Checked by `useProofWrite`. */
  input: never;
}

/** The `clientAction` of the verification page. */
export const writeProof = writeAction(async ({ request }: ClientActionFunctionArgs) => {
  const { name, input }: ProofWrite = await request.json();
  if (name !== 'confirmLetter' && name !== 'confirmMailbox') {
    return api.call<Endpoint>(verificationEndpoints[name], input);
  }
  const doctor = await api.call(verificationEndpoints[name], input);
  session.setDoctor(doctor);
  return doctor;
});

export function useProofWrite<N extends Name>(
  name: N,
  onOutcome: (outcome: Outcome<Answer<Endpoints[N]>>) => void,
) {
  const { send, ...write } = useWrite(onOutcome);
  return { ...write, send: (body: Body<N>) => send({ name, input: { body } }) };
}
