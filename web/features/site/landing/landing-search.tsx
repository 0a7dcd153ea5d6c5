import { type ComponentProps, type ReactNode, type SyntheticEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { Form } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { controlClass } from '#web/ui/control.ts';

const ID = 'find';

/**
 * The search of the landing page, a GET form. The script for suggestions loads only once the box is
 * used. The box stays the same element, because a phone hides its keyboard if it is replaced.
 */
export function LandingSearch() {
  const [suggestions, setSuggestions] = useState<ReactNode>(null);
  const [box, setBox] = useState<ComponentProps<'input'>>({ onFocus: wake, onInput: wake });

  async function wake({ currentTarget: input }: SyntheticEvent<HTMLInputElement>) {
    // Offline, the plain form stays.
    const loaded = await import('./landing-combobox.tsx').catch(() => null);
    if (!loaded || !input.isConnected) return;
    // Synchronous, so that the suggestions know all that is typed.
    flushSync(() => setSuggestions(<loaded.LandingCombobox input={input} takeBox={setBox} />));
  }

  return (
    <Form
      action={paths.employers()}
      role="search"
      className="mt-6 max-w-measure md:mt-9 print:hidden"
    >
      <label htmlFor={ID} className="text-sm font-semibold">
        Find an employer, a specialty, or a position
      </label>
      <div className="stage mt-2 flex flex-wrap gap-3">
        <div className="min-w-0 flex-[1_1_12rem]">
          <input
            id={ID}
            type="search"
            name="search"
            autoComplete="off"
            {...box}
            placeholder="For example, cardiology"
            className={`${controlClass} h-13 px-4 max-sm:placeholder:text-sm`}
          />
          {suggestions}
        </div>
        <button type="submit" className={buttonClass('primary', 'lg', 'max-sm:px-4')}>
          Search
        </button>
      </div>
    </Form>
  );
}
