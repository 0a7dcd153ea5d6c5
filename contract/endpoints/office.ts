import * as z from 'zod/mini';
import { del, type Endpoint, get, patch, post } from '../endpoint.ts';
import * as legal from '../legal-demands/legal-demands.ts';
import { LogExport, LogFilters, LogPage, LogQuery } from '../office/audit-log.ts';
import * as queue from '../office/case-queue.ts';
import * as staff from '../office/staff.ts';
import { Transparency } from '../office/transparency.ts';
import { Message } from '../problem.ts';
import { RemovedTexts } from '../reviews/review-moderation.ts';

const byId = z.strictObject({ id: z.uuid() });
const ofCase = { params: byId, answers: { 200: queue.Case }, errors: [409] } as const;

/** The queue of the office: what waits for a decision, and who works on it. */
export const caseEndpoints = {
  list: get('/admin/cases/', 'staff', {
    query: queue.CaseQuery,
    answers: { 200: queue.CasePage },
  }),
  changes: get('/admin/cases/changes/', 'staff', {
    query: queue.CaseChangesQuery,
    answers: { 200: queue.CaseChanges },
  }),
  read: get('/admin/cases/:id/', 'staff', {
    params: byId,
    query: queue.CaseFilters,
    answers: { 200: queue.CaseFile },
    errors: [404],
  }),
  history: get('/admin/history/', 'staff', {
    query: queue.HistoryQuery,
    answers: { 200: queue.History },
    errors: [403],
  }),
  claim: post('/admin/cases/:id/claim/', 'staff', ofCase),
  release: post('/admin/cases/:id/release/', 'staff', ofCase),
  /** Keeps the caller's own claim for another `CASE_CLAIM_MINUTES`. */
  prolong: post('/admin/cases/:id/prolong/', 'staff', ofCase),
  ask: post('/admin/cases/:id/ask/', 'staff', {
    ...ofCase,
    body: queue.ProofRequestRequest,
    errors: [404, 409],
  }),
  note: post('/admin/cases/:id/notes/', 'staff', {
    params: byId,
    body: queue.CaseNoteRequest,
    answers: { 200: queue.CaseNotes },
    errors: [409],
  }),
};

/** What staff did. For auditors; an owner must first be appointed auditor, which the log shows. */
export const logEndpoints = {
  list: get('/admin/log/', 'auditor', { query: LogQuery, answers: { 200: LogPage } }),
  export: get('/admin/log/csv/', 'auditor', { query: LogFilters, answers: { 200: LogExport } }),
  removed: get('/admin/log/reviews/:id/', 'auditor', {
    params: byId,
    answers: { 200: RemovedTexts },
    errors: [404],
  }),
};

const doctorDecision = {
  params: byId,
  body: queue.DoctorDecisionRequest,
  answers: { 200: queue.StaffDoctor },
  errors: [404, 409],
} as const;

/** Doctors without an open case. */
export const doctorEndpoints = {
  find: get('/admin/doctors/', 'verifier', {
    query: queue.DoctorQuery,
    answers: { 200: queue.DoctorsOfNpi },
  }),
  unban: post('/admin/doctors/unban/', 'verifier', {
    factor: 'fresh',
    body: queue.UnbanRequest,
    answers: { 200: Message },
  }),
};

/** Decisions about a doctor, by account id. None of these shows a review. */
export const doctorDecisionEndpoints = {
  verify: post('/admin/doctors/:id/verify/', 'verifier', doctorDecision),
  refuse: post('/admin/doctors/:id/refuse/', 'verifier', doctorDecision),
  allow_posting: post('/admin/doctors/:id/allow-posting/', 'verifier', doctorDecision),
  deny_posting: post('/admin/doctors/:id/deny-posting/', 'verifier', doctorDecision),
  evict: post('/admin/doctors/:id/evict/', 'verifier', { ...doctorDecision, factor: 'fresh' }),
  ban: post('/admin/doctors/:id/ban/', 'verifier', { ...doctorDecision, factor: 'fresh' }),
  /** Changes nothing and closes the case. */
  dismiss: post('/admin/doctors/:id/dismiss/', 'verifier', doctorDecision),
} satisfies Record<queue.DoctorDecision, Endpoint>;

const ofDemand = { params: byId, answers: { 200: legal.LegalDemand } } as const;

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
    params: byId,
    answers: { 200: z.file() },
    produces: 'application/octet-stream',
    errors: [404],
  }),
  decide: post('/admin/legal-demands/:id/decide/', 'owner', {
    ...ofDemand,
    body: legal.LegalDemandDecision,
    errors: [404, 409],
  }),
  /** With the wrong review or due date. The public record does not change. */
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

const ofMember = { params: byId, factor: 'fresh', errors: [404, 409] } as const;

/** Staff and their roles. Accounts of staff are added by command. */
export const staffEndpoints = {
  list: get('/admin/staff/', 'owner', { answers: { 200: staff.StaffList } }),
  appoint: patch('/admin/staff/:id/', 'owner', {
    ...ofMember,
    body: staff.AppointmentRequest,
    answers: { 200: staff.StaffList },
  }),
  dismiss: del('/admin/staff/:id/', 'owner', { ...ofMember, answers: { 200: Message } }),
  resetFactor: post('/admin/staff/:id/reset-factor/', 'owner', {
    ...ofMember,
    answers: { 200: Message },
  }),
};

/** The caller's own second factor. */
export const factorEndpoints = {
  status: get('/admin/factor/', 'staff', {
    factor: 'none',
    answers: { 200: staff.FactorStatus },
  }),
  begin: post('/admin/factor/setup/', 'staff', {
    factor: 'none',
    body: staff.FactorSetupRequest,
    answers: { 200: staff.FactorSetup },
  }),
  confirm: post('/admin/factor/', 'staff', {
    factor: 'none',
    body: staff.FactorConfirmRequest,
    answers: { 200: staff.FactorRecoveryCodes },
  }),
  enter: post('/admin/factor/enter/', 'staff', {
    factor: 'none',
    body: staff.FactorCodeRequest,
    answers: { 200: staff.FactorEntry },
  }),
  newRecoveryCodes: post('/admin/factor/recovery-codes/', 'staff', {
    factor: 'fresh',
    answers: { 200: staff.FactorRecoveryCodes },
    errors: [404],
  }),
  remove: post('/admin/factor/remove/', 'staff', {
    factor: 'fresh',
    answers: { 200: Message },
  }),
};

/** The caller's own daily mail. */
export const digestEndpoints = {
  read: get('/admin/digest/', 'staff', {
    factor: 'none',
    answers: { 200: staff.DigestSetting },
  }),
  set: post('/admin/digest/', 'staff', {
    body: staff.DigestSetting,
    answers: { 200: staff.DigestSetting },
  }),
};

export const transparencyEndpoints = {
  read: get('/transparency/', 'public', { answers: { 200: Transparency } }),
};
