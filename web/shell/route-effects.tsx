import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation, useNavigationType } from 'react-router';
import { SCROLL_REPEAT_MS } from '#contract/limits.ts';
import { keptScroll, leadsToOtherPage, scrollLater, scrollsItself } from '#web/lib/scroll.ts';
import { repeatEarlyPresses } from './early-presses.ts';

export const MAIN_ID = 'main';

/**
 * Imitates a page load on route changes: scrolls to the top (and once more, `SCROLL_REPEAT_MS`
 * later, unless the user has pressed something by then), moves focus to the content, and announces
 * the page. Going back restores the scroll position on pages that keep it. A link to a section
 * scrolls to that section. Another page of a list counts as another route; filters and orders do
 * not.
 */
export function RouteEffects() {
  const { pathname, hash, key, state } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const turned = !isReturn && leadsToOtherPage(state) ? key : null;
  const isOnItsOwn = !isReturn && scrollsItself(state);
  const place = useRef(0);
  const firstKey = useRef(key);
  const shown = useRef(pathname);
  const sectionId = useRef('');
  const [announcement, setAnnouncement] = useState('');
  const isLoading = useNavigation().state === 'loading';

  useEffect(repeatEarlyPresses, []);

  useEffect(() => {
    place.current = isReturn ? keptScroll(key) : 0;
    sectionId.current = isReturn ? '' : hash.slice(1);
  }, [isReturn, key, hash]);

  useEffect(() => {
    if (key === firstKey.current) return;
    // These elements describe the first page (web/features/site/discovery/page-head.tsx).
    for (const element of document.querySelectorAll('[data-page-head]')) element.remove();
  }, [key]);

  useEffect(() => {
    if (shown.current === pathname && turned === null) return;
    shown.current = pathname;
    setAnnouncement(document.title);
    if (isOnItsOwn) return;
    const top = place.current;
    const section = document.getElementById(sectionId.current);
    const toPlace = () =>
      section
        ? section.scrollIntoView({ behavior: 'instant' })
        : window.scrollTo({ top, behavior: 'instant' });
    toPlace();
    const cancel = scrollLater(toPlace, SCROLL_REPEAT_MS);
    (section ?? document.getElementById(MAIN_ID))?.focus({ preventScroll: true });
    return cancel;
  }, [pathname, turned, isOnItsOwn]);

  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {isLoading && (
        <span
          aria-hidden
          className="fixed inset-x-0 top-0 z-20 h-0.5 animate-pulse bg-accent starting:opacity-0 transition-opacity delay-150"
        />
      )}
    </>
  );
}
