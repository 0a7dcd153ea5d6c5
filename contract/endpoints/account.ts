import * as z from 'zod/mini';
import * as accounts from '../accounts/accounts.ts';
import { get, patch, post } from '../endpoint.ts';
import * as data from '../member/account-data.ts';
import { Message } from '../problem.ts';

/** The caller's own account: password, address, review lock, data, and deletion. */
export const accountEndpoints = {
  requestPasswordReset: post('/auth/password/reset/', 'public', {
    body: accounts.ForgotPasswordRequest,
    answers: { 200: Message },
  }),
  checkResetLink: get('/auth/password/reset/validate/', 'public', {
    query: accounts.ResetLink,
    answers: { 200: Message },
  }),
  resetPassword: post('/auth/password/reset/confirm/', 'public', {
    body: accounts.ResetConfirmRequest,
    answers: { 200: Message },
  }),
  changePassword: post('/auth/password/change/', 'signed-in', {
    body: accounts.PasswordChangeRequest,
    answers: { 200: Message },
  }),
  update: patch('/users/:id/', 'signed-in', {
    params: z.strictObject({ id: z.string() }),
    body: accounts.ProfileUpdateRequest,
    answers: { 200: accounts.User },
    errors: [404],
    fieldsAtTopLevel: true,
  }),
  confirmEmail: post('/auth/email/confirm/', 'public', {
    body: accounts.EmailLinkRequest,
    answers: { 200: Message },
  }),
  stopEmailChange: post('/auth/email/stop/', 'public', {
    body: accounts.EmailLinkRequest,
    answers: { 200: Message },
  }),
  reviewLock: get('/auth/reviews/lock/', 'signed-in', { answers: { 200: accounts.ReviewLock } }),
  lockReviews: post('/auth/reviews/lock/', 'signed-in', {
    body: accounts.LockRequest,
    answers: { 200: accounts.LockResponse },
  }),
  unlockReviews: post('/auth/reviews/unlock/', 'signed-in', {
    body: accounts.UnlockRequest,
    answers: { 200: accounts.LockResponse },
  }),
  export: get('/auth/export/', 'signed-in', {
    answers: { 200: data.AccountExport },
    errors: [403],
  }),
  /** Takes the password, which must not be in a URL. */
  exportWithPassword: post('/auth/export/', 'signed-in', {
    body: data.AccountExportRequest,
    answers: { 200: data.AccountExport },
  }),
  delete: post('/auth/delete-account/', 'signed-in', {
    body: data.AccountDeletionRequest,
    answers: { 200: Message },
    errors: [409],
  }),
};
