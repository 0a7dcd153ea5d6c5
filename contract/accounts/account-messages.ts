export const ACCOUNT_MESSAGES = {
  codeSent: 'Verification code sent to your email address',
  codeResent: 'New verification code sent to your email',
  signedUp: 'Your account has been created.',
  signedOut: 'Signed out.',
  resetSent: 'Password reset email sent! Check your inbox.',
  resetLinkValid: 'This password reset link is valid.',
  passwordReset: 'Password reset successfully! You can now login with your new password.',
  passwordChanged:
    'Your password has been changed. You stay signed in here; all other sessions have been signed out.',
  emailChanged: 'Your email address has been changed.',
  emailChangeStopped: 'The change has been stopped. Your email address stays as it is.',
  emailChangeUndone: 'The change has been undone. Your previous email address is in use again.',
  accountDeleted: 'Your account has been deleted.',
} as const;
