import * as z from 'zod/mini';
import { ForgotPasswordRequest, LoginRequest, SignupDetails } from '#contract/accounts/accounts.ts';
import { OtpCode } from '#contract/fields.ts';

/** The schemas of the forms for signed-out visitors, which load them once they are entered. */
export const checkLogin = LoginRequest;
export const checkSignup = SignupDetails;
export const checkCode = z.strictObject({ otp_code: OtpCode });
export const checkForgotPassword = ForgotPasswordRequest;
