import { zodResolver } from '@hookform/resolvers/zod';
import * as z from 'zod/mini';
import { ForgotPasswordRequest, LoginRequest, SignupDetails } from '#contract/accounts.ts';
import { OtpCode } from '#contract/fields.ts';

/** Validation of the forms for signed-out visitors. Loaded by `lazyChecks`. */
export const checkLogin = zodResolver(LoginRequest);
export const checkSignup = zodResolver(
  z.extend(SignupDetails, { confirm_password: z.optional(z.string()) }),
);
export const checkCode = zodResolver(z.strictObject({ otp_code: OtpCode }));
export const checkForgotPassword = zodResolver(ForgotPasswordRequest);
