import * as z from 'zod/mini';
import { RegisterResponse } from '../accounts/accounts.ts';
import { type Endpoint, get, post } from '../endpoint.ts';
import * as representatives from '../replies/representatives.ts';

/** Accounts of employers' representatives. */
export const representativeEndpoints = {
  register: post('/auth/register/representative/', 'public', {
    body: representatives.RepresentativeRequest,
    answers: { 200: RegisterResponse },
  }),
  list: get('/admin/representatives/', 'curator', {
    query: representatives.RepresentativesQuery,
    answers: { 200: representatives.RepresentativePage },
  }),
  own: get('/representatives/me/', 'signed-in', {
    answers: { 200: representatives.Representative },
    errors: [404],
  }),
};

const decision = {
  params: z.strictObject({ id: z.uuid() }),
  body: representatives.RepresentativeDecisionRequest,
  // Null if the account has been deleted.
  answers: { 200: z.nullable(representatives.RepresentativeFile) },
  errors: [404, 409],
} as const;

/** Decisions about a representative, by account id, even if the account has been deleted. */
export const representativeDecisionEndpoints = {
  approve: post('/admin/representatives/:id/approve/', 'curator', decision),
  refuse: post('/admin/representatives/:id/refuse/', 'curator', decision),
} satisfies Record<representatives.RepresentativeDecision, Endpoint>;
