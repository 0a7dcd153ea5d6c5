import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';
import { Stars } from '#web/ui/stars.tsx';
import type { SampleReview } from './sample-reviews.ts';
import { useCarousel } from './use-carousel.ts';

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
