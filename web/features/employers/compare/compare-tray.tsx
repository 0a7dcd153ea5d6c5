import { Check, Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { COMPARE_MAX, COMPARE_MIN } from '#contract/employers/employer-choices.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import {
  browserEvents,
  browserStorage,
  isRoomFor,
  type KeyValueStorage,
  storedText,
  useStore,
} from '#web/lib/store.ts';
import { useRootMark } from '#web/lib/use-root-mark.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** What the tray shows of an employer. */
interface Shortlisted {
  id: number;
  /** As displayed, in title case. */
  name: string;
}

const STORAGE_KEY = 'compare_shortlist';
const EMPTY: readonly Shortlisted[] = [];

/** The employers picked for comparison, stored in this browser only. */
export function createShortlist(storage: KeyValueStorage, events: EventTarget) {
  const stored = storedText(STORAGE_KEY, storage, events);
  let read = { text: null as string | null, list: EMPTY };

  /** The same array until the stored text changes. */
  function get(): readonly Shortlisted[] {
    const text = stored.get();
    if (text !== read.text) read = { text, list: parseShortlist(text) };
    return read.list;
  }

  const save = (list: readonly Shortlisted[]) =>
    stored.set(list.length === 0 ? null : JSON.stringify(list));

  return {
    get,
    subscribe: stored.subscribe,
    initial: EMPTY,
    /** Does nothing if the list is full. Returns false if the storage is full. */
    add({ id, name }: Shortlisted): boolean {
      const others = get().filter((each) => each.id !== id);
      return others.length >= COMPARE_MAX || isRoomFor(() => save([...others, { id, name }]));
    },
    remove: (id: number) => save(get().filter((each) => each.id !== id)),
    clear: () => save(EMPTY),
  };
}

/** The visitor's storage may contain anything. */
function parseShortlist(text: string | null): readonly Shortlisted[] {
  if (text === null) return EMPTY;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isShortlisted).slice(0, COMPARE_MAX) : EMPTY;
  } catch {
    return EMPTY;
  }
}

const isShortlisted = (value: Partial<Shortlisted> | null): value is Shortlisted =>
  Number.isSafeInteger(value?.id) && typeof value?.name === 'string';

export const shortlist = createShortlist(browserStorage, browserEvents);

const useShortlist = () => useStore(shortlist, (list) => list);

/**
 * The shortlist, at the bottom of the window. The page reserves its space, so that nothing moves when
 * it appears after hydration.
 */
export function CompareTray({ specialty }: { specialty?: string | undefined }) {
  const list = useShortlist();
  useRootMark('tray', list.length > 0 ? '' : undefined);
  return (
    <div className="sticky bottom-[calc(var(--tab-bar-height)+env(safe-area-inset-bottom))] pointer-events-none z-10 mt-10 flex min-h-24 flex-col justify-end pt-3 md:bottom-0 md:pb-[env(safe-area-inset-bottom)] print:hidden">
      {list.length > 0 && (
        <aside
          aria-label="Employers to compare"
          className="pointer-events-auto flex flex-wrap items-center gap-x-6 gap-y-1 rounded-t-md border border-b-0 border-control bg-raised px-4 py-2.5 shadow-raised"
        >
          <p role="status" className="label-caps text-sm text-ink-soft">
            {list.length} of {COMPARE_MAX} chosen
          </p>
          {/* Positioned, so that it also clips the `sr-only` texts inside. */}
          <ul className="relative flex min-w-0 flex-1 gap-x-4 gap-y-1 max-md:order-last max-md:basis-full max-md:overflow-x-auto md:flex-wrap">
            {list.map((employer) => (
              <li key={employer.id} className="min-w-0 max-md:max-w-64 max-md:shrink-0">
                <Chip employer={employer} />
              </li>
            ))}
          </ul>
          <div className="flex items-center gap-1 max-md:ml-auto">
            <Button variant="quiet" size="sm" onClick={shortlist.clear}>
              Clear
            </Button>
            {list.length < COMPARE_MIN ? (
              <span className="text-sm text-ink-soft">Add one more</span>
            ) : (
              <Link to={comparisonOf(list, specialty)} className={buttonClass('primary', 'sm')}>
                Compare
                <span className="sr-only"> these {list.length} employers</span>
              </Link>
            )}
          </div>
        </aside>
      )}
    </div>
  );
}

/** In place of a comparison. If the tray has enough employers, it opens theirs. */
export function NothingCompared({ title }: { title: string | null }) {
  const list = useShortlist();
  const navigate = useNavigate();
  const target =
    title === null && list.length >= COMPARE_MIN ? comparisonOf(list, undefined) : null;
  useEffect(() => {
    if (target) void navigate(target, { replace: true });
  }, [target, navigate]);
  return (
    <EmptyState
      title={title ?? (list[0] ? `Add one more to compare with ${list[0].name}` : NOTHING)}
    >
      Choose “Compare” on the employers you are considering, then open the comparison from the tray
      at the bottom of the page.
    </EmptyState>
  );
}
const NOTHING = 'Nothing to compare yet';

function Chip({ employer }: { employer: Shortlisted }) {
  return (
    <span className="flex items-center gap-1 text-sm">
      <Link
        to={paths.employer(employer.id)}
        className="truncate py-0.5 decoration-accent underline-offset-4 hover:underline"
      >
        {employer.name}
      </Link>
      <button
        type="button"
        onClick={() => shortlist.remove(employer.id)}
        className="grid size-7 shrink-0 place-items-center text-ink-faint hover:text-ink"
      >
        <X aria-hidden className="size-4" />
        <span className="sr-only">Remove {employer.name}</span>
      </button>
    </span>
  );
}

interface CompareToggleProps {
  employer: Shortlisted;
  /** The specialty filter of the list, which the comparison keeps. */
  specialty?: string | undefined;
  /** Only an icon, unless the page is wide. */
  isSmall?: boolean;
}

/** Adds an employer to the shortlist, or removes it. Hidden without script. */
export function CompareToggle({ employer, specialty, isSmall = false }: CompareToggleProps) {
  const list = useShortlist();
  const [hasNoRoom, setNoRoom] = useState(false);
  const isOn = list.some(({ id }) => id === employer.id);
  const isFull = !isOn && list.length >= COMPARE_MAX;
  const Mark = isOn ? Check : Plus;
  return (
    <span className="relative flex flex-wrap items-center gap-2">
      <button
        type="button"
        aria-pressed={isOn}
        disabled={isFull}
        title={isFull ? `You can compare up to ${COMPARE_MAX} employers` : undefined}
        onClick={() => {
          if (isOn) shortlist.remove(employer.id);
          else setNoRoom(!shortlist.add(employer));
        }}
        className={isSmall ? 'entry-toggle-small' : 'entry-toggle'}
      >
        <Mark aria-hidden className="size-4" />
        <span className={isSmall ? 'max-xl:sr-only' : ''}>Compare</span>
        <span className="sr-only"> {employer.name}</span>
      </button>
      {hasNoRoom && !isOn && (
        <span role="alert" className="text-sm text-danger">
          Not added: this browser’s storage is full.
        </span>
      )}
      {list.length >= COMPARE_MIN && list.at(-1)?.id === employer.id && (
        // For keyboard users, because the tray comes after all other cards.
        <Link
          to={comparisonOf(list, specialty)}
          className={buttonClass(
            'primary',
            'sm',
            'sr-only focus-visible:not-sr-only focus-visible:px-2.5',
          )}
        >
          Open the comparison
        </Link>
      )}
    </span>
  );
}

const comparisonOf = (list: readonly Shortlisted[], specialty: string | undefined) =>
  paths.compare(
    list.map(({ id }) => id),
    specialty,
  );
