import { createContext } from 'react';
import { createContext as createLoadContext } from 'react-router';

/**
 * Marks the scripts that the renderer itself writes. The server sets it anew for each rendering, and
 * takes it out of the finished page (server/pages/page-renderer.ts).
 */
export const loadNonce = createLoadContext<string>();

/** The same for components; there is none in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);
