import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import type { User } from '#contract/accounts/accounts.ts';
import {
  CASE_KIND_KEYS,
  CASE_KINDS,
  CASE_PRIORITIES,
  CASE_ROLES,
  type CaseKind,
  searchRefusal,
} from '#contract/cases.ts';
import { SEARCH_MAX } from '#contract/limits.ts';
import { Form } from '#web/form/form.tsx';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { FilterChoices, filtersOf } from '../filter-choices.tsx';

/** The filters of the queue, as they appear in its URL. */
export interface QueueFilters {
  kind?: string | undefined;
  priority?: string | undefined;
  claim?: string | undefined;
  search?: string | undefined;
}

export const queueFiltersOf = (url: string): QueueFilters =>
  filtersOf(url, ['kind', 'priority', 'claim', 'search']);

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

const Search = z.strictObject({
  search: z.string().check(z.trim(), ({ value, issues }) => {
    const message = searchRefusal(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  }),
});

/** Finds cases by what they are about. What nobody may be found by is not even sent. */
export function QueueSearch({ filters }: { filters: QueueFilters }) {
  const navigate = useNavigate();
  const { search = '' } = filters;
  return (
    <div className="mb-6 flex w-full max-w-form flex-wrap items-end gap-3">
      <Form
        schema={Search}
        fields={[
          {
            name: 'search',
            label: 'Search the cases',
            hint: 'An employer, the address of an employer or a review, or a representative',
            error: searchRefusal(search) ?? undefined,
            value: search,
            maxLength: SEARCH_MAX,
            className: 'min-w-0 grow',
          },
        ]}
        action={{ text: 'Find', variant: 'secondary' }}
        onSubmit={(wanted) => navigate(paths.office({ ...filters, ...wanted }))}
        form={{ role: 'search', className: 'contents' }}
      />
      {search && (
        <Link to={paths.office({ ...filters, search: undefined })} className={buttonClass('quiet')}>
          Show all
        </Link>
      )}
    </div>
  );
}
