import type { User } from '#contract/accounts.ts';
import {
  CASE_KIND_KEYS,
  CASE_KINDS,
  CASE_PRIORITIES,
  CASE_ROLES,
  type CaseKind,
} from '#contract/cases.ts';
import { paths } from '#web/lib/paths.ts';
import { FilterChoices, filtersOf } from '../filter-choices.tsx';

/** The filters of the queue, as they appear in its URL. */
export interface QueueFilters {
  kind?: string | undefined;
  priority?: string | undefined;
  claim?: string | undefined;
}

export const queueFiltersOf = (url: string): QueueFilters =>
  filtersOf(url, ['kind', 'priority', 'claim']);

const CLAIMS = { free: 'Nobody', own: 'Me' } as const;

interface QueueFilterLinksProps extends Pick<User, 'roles'> {
  filters: QueueFilters;
  /** How many cases of each kind are open. */
  kinds: readonly { kind: CaseKind; count: number }[];
}

export function QueueFilterLinks({ filters, roles, kinds: open }: QueueFilterLinksProps) {
  const countOf = (kind: CaseKind) => open.find((one) => one.kind === kind)?.count ?? 0;
  const kinds = CASE_KIND_KEYS.filter((kind) => roles.includes(CASE_ROLES[kind])).map(
    (kind) => [kind, `${CASE_KINDS[kind]} (${countOf(kind)})`] as const,
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
