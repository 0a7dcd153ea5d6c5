import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { useHydrated } from '#web/lib/store.ts';
import { Combobox } from '#web/ui/combobox.tsx';
import { Field } from '#web/ui/inputs.tsx';

interface OptionFieldProps {
  label: string;
  name: string;
  /** The chosen option, if it is one of these. */
  value?: string;
  /** Null while they are loading. */
  options: readonly string[] | null;
  format: (option: string) => string;
  placeholder: string;
  hint?: string | undefined;
  /** The options that the typed text finds. */
  match?: (options: readonly string[], typed: string) => string[];
  /** Called when the box gets the focus. */
  onUse?: () => void;
  /** Called with an empty string when the box is cleared. */
  onChoose: (option: string) => void;
}

const CLOSED_LIST: ReturnType<typeof matchOptions> = { shown: [], note: null };

/** Finds one of many options by typing. Without script, it is a text field. */
export function OptionField(props: OptionFieldProps) {
  const { label, name, value = '', options, format, placeholder, hint, onChoose } = props;
  const { match = allMatches, onUse } = props;
  // If null, the box shows the chosen option.
  const [typed, setTyped] = useState<string | null>(null);
  // The server renders a closed list.
  const { shown, note } = useHydrated()
    ? matchOptions(options ?? [], typed ?? '', match)
    : CLOSED_LIST;

  function choose(option: string) {
    setTyped(null);
    onChoose(option);
  }

  return (
    <Field label={label} hint={hint}>
      {(control) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: handles events of the text field inside
        <div
          className="relative"
          onFocus={({ target }) => {
            onUse?.();
            if (target instanceof HTMLInputElement) target.select();
          }}
          onBlur={() => setTyped(null)}
        >
          <Combobox
            id={control.id}
            aria-describedby={control['aria-describedby']}
            name={name}
            opensOnClick
            placeholder={placeholder}
            text={typed ?? format(value)}
            onType={(text) => {
              setTyped(text);
              if (text.trim() === '' && value) onChoose('');
            }}
            onEnter={() => {
              const picked = typed?.trim() ? pickOption(options ?? [], typed, match) : undefined;
              if (picked !== undefined) choose(picked);
              return picked !== undefined;
            }}
            options={shown.map((option) => ({
              key: option,
              label: format(option),
              onChoose: () => choose(option),
            }))}
            note={options === null ? 'Loading...' : note}
          />
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-3.5 right-3 size-5 bg-raised text-ink-faint"
          />
        </div>
      )}
    </Field>
  );
}

/** The user types more to find the others. All states and specialties fit. */
const MOST_SHOWN = 200;

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** All options that contain the typed text. Those that start with it come first. */
export function allMatches(options: readonly string[], typed: string): string[] {
  const wanted = fold(typed.trim());
  const found = options.filter((option) => fold(option).includes(wanted));
  const begin = (option: string) => fold(option).startsWith(wanted);
  return [...found.filter(begin), ...found.filter((option) => !begin(option))];
}

/** The options to list, and a note about them. */
export function matchOptions(options: readonly string[], typed: string, match = allMatches) {
  const matches = match(options, typed);
  return { shown: matches.slice(0, MOST_SHOWN), note: noteOn(matches.length) };
}

function noteOn(count: number): string | null {
  if (count === 0) return 'No options found';
  if (count <= MOST_SHOWN) return null;
  return `Showing ${MOST_SHOWN} of ${formatCount(count)}. Type to narrow the list.`;
}

/** The option that was typed in full, or the only match. */
export function pickOption(
  options: readonly string[],
  typed: string,
  match = allMatches,
): string | undefined {
  const wanted = fold(typed.trim());
  const matches = match(options, typed);
  return matches.find((option) => fold(option) === wanted) ?? (matches[1] ? undefined : matches[0]);
}
