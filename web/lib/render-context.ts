import { createContext, type ReactNode, use } from 'react';
import { createContext as createLoadContext } from 'react-router';
import type { VerificationMode } from '#contract/verification/verification.ts';

/*
 * What the renderer passes to pages. Each value exists twice: for loaders on the server (`load...`)
 * and for components.
 */

/**
 * Marks the scripts that the renderer itself writes. The server sets a new one for each rendering,
 * and removes it from the finished page (server/pages/pages.ts).
 */
export const loadNonce = createLoadContext<string>();

/** Undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);

/** What only the server adds to the head of a page (web/features/site/discovery). */
export const PageHeadContext = createContext<ReactNode>(null);

/** What makes a doctor verified on this site. */
export const loadVerificationMode = createLoadContext<VerificationMode>();

/** The page carries it to the browser as an attribute of `<html>`. */
export const VerificationModeContext = createContext<VerificationMode | null>(null);

export function useVerificationMode(): VerificationMode {
  const mode = use(VerificationModeContext);
  if (!mode) throw new Error('rendered outside of VerificationModeContext');
  return mode;
}
