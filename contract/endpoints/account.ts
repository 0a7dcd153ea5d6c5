import * as z from 'zod/mini';
import { AccountDeletionRequest, AccountExport, AccountExportRequest } from '../account-data.ts';
import {
  EmailLinkRequest,
  ForgotPasswordRequest,
  PasswordChangeRequest,
  ProfileUpdateRequest,
  ResetConfirmRequest,
  ResetLink,
  User,
} from '../accounts.ts';
import { get, patch, post } from '../endpoint.ts';
import { Message } from '../problem.ts';
import { LockRequest, LockResponse, ReviewLock, UnlockRequest } from '../review-lock.ts';

/** One's own account: password, address, review lock, data, and deletion. */
export const accountEndpoints = {
  requestPasswordReset: post('/auth/password/reset/', 'public', {
    body: ForgotPasswordRequest,
    answers: { 200: Message },
  }),
  checkResetLink: get('/auth/password/reset/validate/', 'public', {
    query: ResetLink,
    answers: { 200: Message },
  }),
  resetPassword: post('/auth/password/reset/confirm/', 'public', {
    body: ResetConfirmRequest,
    answers: { 200: Message },
  }),
  changePassword: post('/auth/password/change/', 'signed-in', {
    body: PasswordChangeRequest,
    answers: { 200: Message },
  }),
  update: patch('/users/:id/', 'signed-in', {
    params: z.strictObject({ id: z.string() }),
    body: ProfileUpdateRequest,
    answers: { 200: User },
    errors: [404],
    fieldsAtTopLevel: true,
  }),
  confirmEmail: post('/auth/email/confirm/', 'public', {
    body: EmailLinkRequest,
    answers: { 200: Message },
  }),
  stopEmailChange: post('/auth/email/stop/', 'public', {
    body: EmailLinkRequest,
    answers: { 200: Message },
  }),
  reviewLock: get('/auth/reviews/lock/', 'signed-in', { answers: { 200: ReviewLock } }),
  lockReviews: post('/auth/reviews/lock/', 'signed-in', {
    body: LockRequest,
    answers: { 200: LockResponse },
  }),
  unlockReviews: post('/auth/reviews/unlock/', 'signed-in', {
    body: UnlockRequest,
    answers: { 200: LockResponse },
  }),
  export: get('/auth/export/', 'signed-in', { answers: { 200: AccountExport }, errors: [403] }),
  /** With the password, which must not be in a URL. */
  exportWithPassword: post('/auth/export/', 'signed-in', {
    body: AccountExportRequest,
    answers: { 200: AccountExport },
  }),
  delete: post('/auth/delete-account/', 'signed-in', {
    body: AccountDeletionRequest,
    answers: { 200: Message },
  }),
};
