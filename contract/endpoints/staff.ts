import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import * as staff from '../office/staff.ts';
import { Message } from '../problem.ts';

const member = {
  params: z.strictObject({ id: z.uuid() }),
  factor: 'fresh',
  errors: [404, 409],
} as const;

/** Staff and their roles. Accounts of staff are added by command. */
export const staffEndpoints = {
  list: get('/admin/staff/', 'owner', { answers: { 200: staff.StaffList } }),
  appoint: patch('/admin/staff/:id/', 'owner', {
    ...member,
    body: staff.AppointmentRequest,
    answers: { 200: staff.StaffList },
  }),
  dismiss: del('/admin/staff/:id/', 'owner', { ...member, answers: { 200: Message } }),
  resetFactor: post('/admin/staff/:id/reset-factor/', 'owner', {
    ...member,
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
