import {
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type WheelEvent,
} from 'react';
import {
  CAROUSEL_INTERVAL_MS,
  RESIZE_DEBOUNCE_MS,
  SCROLL_END_MS,
  SWIPE_THRESHOLD_PX,
} from '#contract/limits.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

function subscribeToMotion(listener: () => void): () => void {
  const query = window.matchMedia(REDUCED_MOTION);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** With reduced motion, slides only change on request. */
const usePrefersReducedMotion = () =>
  useSyncExternalStore(
    subscribeToMotion,
    () => window.matchMedia(REDUCED_MOTION).matches,
    () => false,
  );

const slideIn = (row: HTMLElement) => Math.round(row.scrollLeft / row.clientWidth);

/**
 * Adds a timer, buttons, and swiping to a row that scrolls and snaps
 * natively, and so works without script.
 */
export function useCarousel(count: number) {
  const track = useRef<HTMLUListElement>(null);
  const dragStart = useRef<number | null>(null);
  const scrollTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The target slide of a scroll that this hook started. */
  const goal = useRef<number | null>(null);
  const [index, setIndex] = useState(0);
  const [isStopped, setStopped] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const isReduced = usePrefersReducedMotion();
  const isLive = useHydrated();
  const isPlaying = !isStopped && !isReduced;

  function show(next: number): void {
    const target = (next + count) % count;
    goal.current = track.current && slideIn(track.current) !== target ? target : null;
    setIndex(target);
  }
  const showLater = useEffectEvent(show);

  useEffect(() => {
    const row = track.current;
    row?.scrollTo({ left: index * row.clientWidth, behavior: isReduced ? 'instant' : 'smooth' });
  }, [index, isReduced]);

  useEffect(() => {
    if (!isPlaying || isHeld) return;
    const timer = setTimeout(() => showLater(index + 1), CAROUSEL_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [index, isPlaying, isHeld]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const realign = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const row = track.current;
        row?.scrollTo({ left: index * row.clientWidth, behavior: 'instant' });
      }, RESIZE_DEBOUNCE_MS);
    };
    window.addEventListener('resize', realign);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('resize', realign);
    };
  }, [index]);

  function settle(): void {
    const row = track.current;
    if (!row) return;
    const shown = slideIn(row);
    // Ignore the end of an earlier scroll, which may arrive after the next one has started.
    if (goal.current !== null && goal.current !== shown) return;
    goal.current = null;
    setIndex(shown);
  }

  return {
    index,
    show,
    isPlaying,
    toggle: () => setStopped(!isStopped),
    /** Pauses while the pointer or the focus is inside. */
    hold: {
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
      onFocus: () => setHeld(true),
      onBlur: () => setHeld(false),
    },
    track: {
      ref: track,
      // From here on, this hook handles swiping instead of the browser.
      'data-live': isLive || undefined,
      onPointerDown: (event: PointerEvent) => {
        dragStart.current = event.clientX;
      },
      onPointerUp: (event: PointerEvent) => {
        const moved = event.clientX - (dragStart.current ?? event.clientX);
        dragStart.current = null;
        if (Math.abs(moved) > SWIPE_THRESHOLD_PX) show(index - Math.sign(moved));
      },
      onPointerCancel: () => {
        dragStart.current = null;
      },
      // A trackpad or the arrow keys scroll the row natively, and cancel a scroll that this hook
      // started.
      onWheel: ({ deltaX }: WheelEvent) => {
        if (deltaX !== 0) goal.current = null;
      },
      onKeyDown: () => {
        goal.current = null;
      },
      onScrollEnd: settle,
      // Safari before 26.2 does not say when a scroll ends.
      onScroll: () => {
        if ('onscrollend' in window) return;
        clearTimeout(scrollTimer.current);
        scrollTimer.current = setTimeout(settle, SCROLL_END_MS);
      },
    },
  };
}
