import { type ComponentType, type SyntheticEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { Form } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { controlClass } from '#web/ui/control.ts';
import type { LandingComboboxProps } from './landing-combobox.tsx';

const ID = 'find';
const SIZE = 'h-13 px-4';

/**
 * The search of the landing page, a GET form. The script for suggestions loads only once the box is
 * used.
 */
export function LandingSearch() {
  const [live, setLive] = useState<
    (LandingComboboxProps & { Box: ComponentType<LandingComboboxProps> }) | null
  >(null);

  async function wake({ currentTarget: input }: SyntheticEvent<HTMLInputElement>) {
    // Offline, the plain form stays.
    const loaded = await import('./landing-combobox.tsx').catch(() => null);
    if (!loaded || !input.isConnected) return;
    const hasFocus = document.activeElement === input;
    const props = { id: ID, className: SIZE, typed: input.value, hasFocus };
    // Synchronous, because text typed before a later replacement would be lost.
    flushSync(() => setLive({ Box: loaded.LandingCombobox, ...props }));
  }

  return (
    <Form action={paths.reviews()} role="search" className="mt-9 max-w-measure print:hidden">
      <label htmlFor={ID} className="text-sm font-semibold">
        Find an employer, a specialty, or a position
      </label>
      <div className="mt-2 flex flex-wrap gap-3">
        <div className="min-w-0 flex-[1_1_12rem]">
          {live ? (
            <live.Box {...live} />
          ) : (
            <input
              id={ID}
              type="search"
              name="search"
              autoComplete="off"
              onFocus={wake}
              onInput={wake}
              className={`${controlClass} ${SIZE}`}
            />
          )}
        </div>
        <button type="submit" className={buttonClass('primary', 'lg', 'max-sm:px-4')}>
          Search
        </button>
      </div>
    </Form>
  );
}
