import { type ReactNode, use } from 'react';
import {
  isRouteErrorResponse,
  Links,
  type LinksFunction,
  Meta,
  Outlet,
  Scripts,
} from 'react-router';
import type { Route } from './+types/root.ts';
import displayFont from './fonts/curbside-display.woff2?url';
import textFont from './fonts/curbside-text.woff2?url';
import { pageMeta } from './lib/page-meta.ts';
import { NonceContext, PageHeadContext, useVerificationMode } from './lib/render-context.ts';
import { NOTE_PRESSES_SCRIPT } from './shell/early-presses.ts';
import { UnexpectedErrorScreen } from './shell/error-screens.tsx';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { MAIN_ID, RouteEffects } from './shell/route-effects.tsx';
import { TabBar } from './shell/tab-bar.tsx';
import { LoadingNotice } from './ui/loading.tsx';
import './styles/app.css';

/**
 * Runs in the head, before the first paint. Pages are the same for everyone, so only the browser
 * knows which of the two headers to show (`data-session`), and whether the layout of cards below
 * the screen can wait for that paint (`data-first-page`). It cannot wait after a reload or a return,
 * or with a link to a section or a text, because the browser then scrolls at once. Nor can it in
 * Safari, which has no scroll anchoring, and paints before it has read the whole page. The script is
 * a constant, so that its CSP hash is constant, too.
 */
const FIRST_PAINT_SCRIPT =
  "{const{dataset:d}=document.documentElement,n=performance.getEntriesByType('navigation')[0];" +
  "try{d.session=localStorage.getItem('access_token')?'in':'out'}catch{d.session='out'}" +
  "n?.type=='navigate'&&!/#|:~:/.test(n.name+location.hash)&&" +
  "CSS.supports('overflow-anchor','auto')&&(d.firstPage='')}";

/** The inline script in the head of every page. It runs only when the server's page is read. */
const HEAD_SCRIPT = import.meta.env.SSR ? NOTE_PRESSES_SCRIPT + FIRST_PAINT_SCRIPT : ' ';

const preloadFont = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', href, crossOrigin: 'anonymous' }) as const;

export const links: LinksFunction = () => [preloadFont(textFont), preloadFont(displayFont)];

export function meta({ error }: Route.MetaArgs) {
  if (isRouteErrorResponse(error) && error.status === 404) return pageMeta('Page not found');
  return pageMeta(error ? 'Unexpected error' : 'Anonymous employer reviews');
}

/** The document and its frame, which also surrounds the error screens. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext);
  return (
    // The script in the head sets attributes that the server cannot know.
    <html lang="en-US" data-verification={useVerificationMode()} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f8f8f4" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#111715" />
        <script
          nonce={nonce}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant
          dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }}
          suppressHydrationWarning
        />
        <Meta />
        <Links />
        {use(PageHeadContext)}
      </head>
      <body>
        <a
          href={`#${MAIN_ID}`}
          className="absolute top-2 left-(--gutter) z-30 rounded-sm bg-accent px-4 py-2 text-on-accent not-focus:sr-only"
        >
          Skip to main content
        </a>
        <Header />
        <main id={MAIN_ID} tabIndex={-1} className="flex-1">
          {children}
        </main>
        <Footer />
        <TabBar />
        <RouteEffects />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

/** Shown while the data of a page that requires a login is loading. */
export function HydrateFallback() {
  return <LoadingNotice />;
}

/** For errors outside of any page (web/routes/page.tsx). */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <UnexpectedErrorScreen error={error} />;
}
