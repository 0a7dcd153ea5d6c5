import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import * as legal from '../legal-demands/legal-demands.ts';

const ofDemand = {
  params: z.strictObject({ id: z.uuid() }),
  answers: { 200: legal.LegalDemand },
} as const;

/** Legal demands, as handled by owners. None of these shows who wrote a review. */
export const legalEndpoints = {
  list: get('/admin/legal-demands/', 'owner', {
    query: legal.LegalDemandQuery,
    answers: { 200: legal.LegalDemandPage },
  }),
  record: post('/admin/legal-demands/', 'owner', {
    body: legal.LegalDemandRequest,
    answers: { 201: legal.LegalDemand },
  }),
  /**
   * Adds the document to a demand, or replaces it: at most `DEMAND_DOCUMENT_BYTES` of PDF, PNG, or
   * JPEG, without a name.
   */
  upload: post('/admin/legal-demands/:id/document/', 'owner', {
    ...ofDemand,
    body: z.file(),
    consumes: 'application/octet-stream',
    rateLimit: 'demandDocument',
    errors: [404],
  }),
  download: get('/admin/legal-demands/:id/document/', 'owner', {
    params: ofDemand.params,
    answers: { 200: z.file() },
    produces: 'application/octet-stream',
    errors: [404],
  }),
  decide: post('/admin/legal-demands/:id/decide/', 'owner', {
    ...ofDemand,
    body: legal.LegalDemandDecision,
    errors: [404, 409],
  }),
  /** The demand was recorded with the wrong review. The public record does not change. */
  correct: post('/admin/legal-demands/:id/correct/', 'owner', {
    ...ofDemand,
    body: legal.LegalDemandCorrection,
    factor: 'fresh',
    errors: [404],
  }),
  /** The law no longer forbids telling the author. */
  liftGag: post('/admin/legal-demands/:id/lift-gag/', 'owner', {
    ...ofDemand,
    factor: 'fresh',
    errors: [404],
  }),
};
