import {
  type ComponentPropsWithRef,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useLayoutEffect,
  useState,
} from 'react';
import { cx } from './cx.ts';
import { TextInput, TYPING_LIMIT } from './inputs.tsx';

export interface ComboboxOption {
  key: string;
  /** Options next to each other with the same group share a heading. */
  group?: string;
  label: ReactNode;
  onChoose: () => void;
}

export interface ComboboxProps {
  id: string;
  name: string;
  text: string;
  onType: (text: string) => void;
  options: readonly ComboboxOption[];
  /** A message instead of, or above, the options. */
  note?: string | null;
  type?: 'text' | 'search';
  placeholder?: string | undefined;
  required?: boolean;
  maxLength?: number;
  /** For the text box. */
  className?: string;
  /** Opens the options from the start, because the user has already typed. */
  startsOpen?: boolean;
  /** On a phone, the options fill the page below the box, whose line is a `stage`. */
  isPageWide?: boolean;
  /** Whether a click opens the options too, for short lists. */
  opensOnClick?: boolean;
  /** Called on Enter without an active option. Returns whether it chose something. */
  onEnter?: () => boolean;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
  /** Takes the properties of the text box, for one that is already on the page, above the options. */
  takeBox?: TakeBox;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}

export type TakeBox = (box: ComponentPropsWithRef<'input'>) => void;

/**
 * A text box with suggestions (WAI-ARIA 1.2, editable combobox with a list). The focus stays in the
 * box: arrows move through the list, Enter selects, Escape closes.
 */
export function Combobox({
  text,
  onType,
  options,
  note,
  id,
  opensOnClick = false,
  startsOpen = false,
  isPageWide = false,
  onEnter,
  onBlur,
  takeBox,
  maxLength,
  ...rest
}: ComboboxProps) {
  const listId = useId();
  const [isWanted, setWanted] = useState(startsOpen);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const isOpen = isWanted && (options.length > 0 || Boolean(note));
  const active = isOpen ? options.findIndex(({ key }) => key === activeKey) : -1;
  const isSearch = rest.type === 'search';
  const optionId = (place: number) => `${listId}-${place}`;

  useEffect(() => {
    if (active >= 0)
      document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, listId]);

  useLayoutEffect(() => {
    if (!isPageWide) return;
    document.getElementById(id)?.closest('.stage')?.toggleAttribute('data-open', isWanted);
  }, [id, isPageWide, isWanted]);

  function close() {
    setWanted(false);
    setActiveKey(null);
  }

  function choose(option: ComboboxOption) {
    close();
    option.onChoose();
  }

  function move(step: 1 | -1) {
    setWanted(true);
    // The text itself is a place before the first option.
    const places = options.length + 1;
    setActiveKey(options[((active + 1 + step + places) % places) - 1]?.key ?? null);
  }

  /** Returns whether the key is used up. Otherwise it submits the form. */
  function onEnterKey(): boolean {
    const chosen = options[active];
    if (chosen) {
      choose(chosen);
      return true;
    }
    const isUsed = onEnter?.() ?? false;
    if (isUsed || isSearch) close();
    // Only a search is sent by Enter: in other boxes, the user is still choosing.
    return !isSearch;
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 } as const;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(step[event.key]);
    else if (event.key === 'Enter') {
      if (!onEnterKey()) return;
    } else if (event.key === 'Escape' && isWanted) close();
    else return;
    event.preventDefault();
  }

  const box: ComponentPropsWithRef<'input'> = {
    ...rest,
    ...{ [TYPING_LIMIT]: maxLength },
    id,
    role: 'combobox',
    autoComplete: 'off',
    spellCheck: false,
    'aria-autocomplete': 'list',
    'aria-expanded': isOpen && options.length > 0,
    'aria-controls': isOpen && options.length > 0 ? listId : undefined,
    'aria-activedescendant': active >= 0 ? optionId(active) : undefined,
    onChange(event) {
      setWanted(true);
      setActiveKey(null);
      onType(event.target.value);
    },
    onKeyDown,
    onClick: () => (opensOnClick || isPageWide) && setWanted(true),
    onBlur() {
      close();
      onBlur?.();
    },
  };

  // After every render, because the handlers are new.
  useLayoutEffect(() => takeBox?.(box));

  return (
    <div data-box className="relative">
      {isPageWide && (
        <button
          type="button"
          data-close
          aria-label="Close search"
          // Its focus has closed the options already, unless it was pressed without.
          onClick={() => document.getElementById(id)?.blur()}
        >
          <span aria-hidden>←</span>
        </button>
      )}
      {!takeBox && <TextInput {...box} value={text} />}
      <div
        data-options
        className={cx(
          'absolute left-0 top-full z-10 mt-1 w-full rounded-md bg-raised',
          // On a wide page, wider than a narrow field.
          'lg:w-max lg:min-w-full lg:max-w-[max(100%,22rem)]',
          isOpen && 'border border-rule p-1.5 shadow-raised',
        )}
      >
        <div role="status">
          {isOpen && note && <p className="px-3 py-2.5 text-sm text-ink-soft">{note}</p>}
        </div>
        {isOpen && options.length > 0 && (
          <div
            id={listId}
            role="listbox"
            aria-label="Suggestions"
            // Keeps the focus in the text box.
            onMouseDown={(event) => event.preventDefault()}
            className={cx('overflow-y-auto', isPageWide ? 'max-h-[min(30rem,60svh)]' : 'max-h-80')}
          >
            {groupsOf(options).map(({ group, members }) => (
              <Group key={members[0]?.option.key} name={group}>
                {members.map(({ option, place }) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the text box handles the keys
                  <div
                    key={option.key}
                    id={optionId(place)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={place === active}
                    onClick={() => choose(option)}
                    className="min-h-11 cursor-pointer rounded-sm px-3 py-2 text-sm hover:bg-sunken aria-selected:bg-accent-wash"
                  >
                    {option.label}
                  </div>
                ))}
              </Group>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

interface OptionGroup {
  group: string | undefined;
  members: { option: ComboboxOption; place: number }[];
}

function groupsOf(options: readonly ComboboxOption[]): OptionGroup[] {
  const groups: OptionGroup[] = [];
  for (const [place, option] of options.entries()) {
    const last = groups.at(-1);
    if (last && last.group === option.group) last.members.push({ option, place });
    else groups.push({ group: option.group, members: [{ option, place }] });
  }
  return groups;
}

/** Renders only the options if there is no name. */
function Group({ name, children }: { name: string | undefined; children: ReactNode }) {
  if (name === undefined) return children;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list box has no fieldsets
    <div
      role="group"
      aria-label={name}
      className="not-first:mt-1.5 not-first:border-t not-first:border-rule not-first:pt-1.5"
    >
      <p aria-hidden className="label-caps px-3 pt-1 text-sm text-ink-faint">
        {name}
      </p>
      {children}
    </div>
  );
}
