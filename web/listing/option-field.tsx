import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Combobox } from '#web/ui/combobox.tsx';
import { Field } from '#web/ui/field.tsx';
import { matchOptions, pickOption } from './match-options.ts';

interface OptionFieldProps {
  label: string;
  name: string;
  /** What is chosen, if one of these is. */
  value?: string;
  /** Null while they are on their way. */
  options: readonly string[] | null;
  format: (option: string) => string;
  placeholder: string;
  /** With an empty string when the box is emptied. */
  onChoose: (option: string) => void;
}

/** Finds one of many options by typing. Without script it is a text box of the form. */
export function OptionField(props: OptionFieldProps) {
  const { label, name, value = '', options, format, placeholder, onChoose } = props;
  // Null: the box shows what is chosen.
  const [typed, setTyped] = useState<string | null>(null);
  const matches = matchOptions(options ?? [], typed ?? '');

  function choose(option: string) {
    setTyped(null);
    onChoose(option);
  }

  function note(): string | null {
    if (options === null) return 'Loading...';
    return matches.length === 0 ? 'No options found' : null;
  }

  return (
    <Field label={label}>
      {(control) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it hears what the text box inside leaves over
        <div
          className="relative"
          onFocus={({ target }) => target instanceof HTMLInputElement && target.select()}
          onBlur={() => setTyped(null)}
          onKeyDown={({ key }) => {
            if (key !== 'Enter' || !typed?.trim()) return;
            const picked = pickOption(options ?? [], typed);
            if (picked !== undefined) choose(picked);
          }}
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
            options={matches.map((option) => ({
              key: option,
              label: format(option),
              onChoose: () => choose(option),
            }))}
            note={note()}
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
