import * as z from 'zod/mini';
import * as accounts from '../accounts/accounts.ts';
import { get, post } from '../endpoint.ts';
import { Message } from '../problem.ts';
import { Doctor } from '../verification/doctors.ts';

/** Signing in and out, and the current user. */
export const sessionEndpoints = {
  csrf: get('/csrf/', 'public', { answers: { 204: z.null() } }),
  login: post('/auth/login/', 'public', {
    body: accounts.LoginRequest,
    answers: { 200: accounts.LoginResponse },
    errors: [401],
  }),
  register: post('/auth/register/', 'public', {
    body: accounts.RegisterRequest,
    answers: { 200: accounts.RegisterResponse },
  }),
  refresh: post('/auth/token/refresh/', 'public', {
    body: accounts.RefreshRequest,
    answers: { 200: accounts.Tokens },
    errors: [401],
  }),
  logout: post('/auth/logout/', 'public', {
    body: accounts.RefreshRequest,
    answers: { 200: Message },
  }),
  user: get('/auth/user/', 'signed-in', { answers: { 200: accounts.User } }),
  doctor: get('/doctors/me/', 'signed-in', { answers: { 200: Doctor }, errors: [404] }),
};
