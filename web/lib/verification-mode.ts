import { createContext, use } from 'react';
import { createContext as createLoadContext } from 'react-router';
import type { VerificationMode } from '#contract/verification.ts';

/** For loaders on the server: what makes a doctor verified on this site. */
export const loadVerificationMode = createLoadContext<VerificationMode>();

/** The same for components. The page carries it to the browser as an attribute of `<html>`. */
export const VerificationModeContext = createContext<VerificationMode | null>(null);

export function useVerificationMode(): VerificationMode {
  const mode = use(VerificationModeContext);
  if (!mode) throw new Error('rendered outside of VerificationModeContext');
  return mode;
}
