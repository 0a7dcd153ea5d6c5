import type { User } from '#contract/accounts.ts';
import { CASE_KIND_KEYS, CASE_KINDS, CASE_PRIORITIES, CASE_ROLES } from '#contract/cases.ts';
import { paths } from '#web/lib/paths.ts';
import { FilterChoices } from '../filter-choices.tsx';

/** The filters of the queue, as they appear in its URL. */
export interface QueueFilters {
  kind?: string | undefined;
  priority?: string | undefined;
  claim?: string | undefined;
}

const NAMES = ['kind', 'priority', 'claim'] as const satisfies readonly (keyof QueueFilters)[];

/** The filters in a URL. All other parameters are ignored. */
export function queueFiltersOf(url: string): QueueFilters {
  const given = new URL(url).searchParams;
  return Object.fromEntries(NAMES.map((name) => [name, given.get(name) || undefined]));
}

const CLAIMS = { free: 'Nobody', own: 'Me' } as const;

interface QueueFilterLinksProps extends Pick<User, 'roles'> {
  filters: QueueFilters;
}

export function QueueFilterLinks({ filters, roles }: QueueFilterLinksProps) {
  const kinds = CASE_KIND_KEYS.filter((kind) => roles.includes(CASE_ROLES[kind])).map(
    (kind) => [kind, CASE_KINDS[kind]] as const,
  );
  const shared = { filters: { ...filters }, to: paths.office };
  return (
    <nav aria-label="Filters" className="mb-6 flex flex-col gap-2 text-sm print:hidden">
      <FilterChoices name="kind" label="Kind" choices={kinds} {...shared} />
      <FilterChoices
        name="priority"
        label="Priority"
        choices={Object.entries(CASE_PRIORITIES)}
        {...shared}
      />
      <FilterChoices name="claim" label="Claimed by" choices={Object.entries(CLAIMS)} {...shared} />
    </nav>
  );
}
