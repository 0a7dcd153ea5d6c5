import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import {
  type PointerEvent,
  type ReactNode,
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
import { useHydrated } from '#web/lib/store.ts';
import { cx } from '#web/ui/cx.ts';
import { Stars } from '#web/ui/stars.tsx';
import type { SampleReview } from './landing-texts.ts';

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
function useCarousel(count: number) {
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

export function SampleCarousel({ samples }: { samples: readonly SampleReview[] }) {
  const count = samples.length;
  const { index, show, isPlaying, toggle, hold, track } = useCarousel(count);
  return (
    <section aria-roledescription="carousel" aria-label="Sample reviews" {...hold}>
      <ul
        {...track}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-live={isPlaying ? 'off' : 'polite'}
        className="-mx-2 flex snap-x snap-mandatory overflow-x-auto data-live:touch-pan-y data-live:select-none [scrollbar-width:none] noscript:[scrollbar-width:thin]"
      >
        {samples.map((sample, place) => (
          <li
            key={sample.id}
            aria-roledescription="slide"
            aria-label={`${place + 1} of ${count}`}
            className="w-full shrink-0 snap-center snap-always"
          >
            <Sample sample={sample} />
          </li>
        ))}
      </ul>
      <div className="mt-5 flex items-center gap-2 border-t border-rule pt-4 noscript:hidden sm:mt-8">
        <IconButton label="Previous review" onClick={() => show(index - 1)}>
          <ChevronLeft aria-hidden className="size-5" />
        </IconButton>
        <IconButton label="Next review" onClick={() => show(index + 1)}>
          <ChevronRight aria-hidden className="size-5" />
        </IconButton>
        <IconButton label={isPlaying ? 'Pause' : 'Play'} onClick={toggle}>
          {isPlaying ? (
            <Pause aria-hidden className="size-4" />
          ) : (
            <Play aria-hidden className="size-4" />
          )}
        </IconButton>
        <div className="ml-3 flex max-md:hidden">
          {samples.map((sample, place) => (
            <button
              key={sample.id}
              type="button"
              aria-label={`Show review ${place + 1}`}
              aria-current={place === index ? 'true' : undefined}
              onClick={() => show(place)}
              className="group grid size-7 place-items-center"
            >
              <span
                className={cx(
                  'size-2.5 rounded-full border transition-colors',
                  place === index
                    ? 'border-accent bg-accent'
                    : 'border-control group-hover:border-ink',
                )}
              />
            </button>
          ))}
        </div>
        <p className="ml-auto text-sm text-ink-faint">
          {index + 1} of {count}
        </p>
      </div>
    </section>
  );
}

function Sample({ sample }: { sample: SampleReview }) {
  return (
    <figure className="max-w-[46rem] px-2">
      <Stars rating={sample.rating} size="lg" />
      <blockquote className="mt-3 font-text text-lg italic text-pretty sm:text-2xl sm:leading-[1.35]">
        “{sample.content}”
      </blockquote>
      <figcaption className="mt-3 sm:mt-5 text-sm text-ink-soft">
        <span className="font-semibold text-ink">{sample.specialty}</span>
        <br />
        {sample.employer}, {sample.location}
      </figcaption>
    </figure>
  );
}

interface IconButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

function IconButton({ label, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="grid size-11 place-items-center rounded-md border border-control text-ink-soft transition-colors hover:border-ink hover:bg-sunken hover:text-ink"
    >
      {children}
    </button>
  );
}
