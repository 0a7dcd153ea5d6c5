import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { titleCase } from '#contract/names.ts';
import type { SavedEmployers } from '#contract/saved/saved.ts';
import { firstReviewTitle, parseSaved, searchTitle } from '#contract/saved/saved-address.ts';
import { formatAverage, formatLocation, formatLongDate, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/loading.tsx';
import { Stars } from '#web/ui/stars.tsx';
import { saved } from './saved.tsx';

type SavedEmployer = SavedEmployers['results'][number];

interface SavedEntriesProps {
  entries: readonly string[];
  /** The ids for which `employers` was loaded. */
  ids: readonly number[];
  employers: readonly SavedEmployer[];
  /** What can be done with an employer, besides removing it. */
  action: (employer: { id: number; name: string }) => ReactNode;
}

/** Everything that is saved: employers, then searches. */
export function SavedEntries({ entries, ids, employers, action }: SavedEntriesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const remove = async (address: string) => {
    setFailure(await saved.toggle(address));
    // Its button is gone.
    heading.current?.focus({ preventScroll: true });
  };
  const all = entries.flatMap((address) => {
    const entry = parseSaved(address);
    return entry ? [{ address, entry }] : [];
  });
  const ofEmployers = all
    .flatMap(({ address, entry }) => {
      if (!('employerId' in entry)) return [];
      const id = entry.employerId;
      return [{ address, id, found: employers.find((one) => one.id === id) }];
    })
    .sort((a, b) => Number(isFirstReview(b.found)) - Number(isFirstReview(a.found)));
  const searches = all.flatMap(({ address, entry }) =>
    'page' in entry ? [{ address, title: searchTitle(entry.page, entry.criteria) }] : [],
  );

  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="sr-only">
        Saved employers and searches
      </h2>
      {failure && <Banner tone="error">{failure}</Banner>}
      {ofEmployers.length > 0 && (
        <Section title="Employers" id="saved-employers">
          {ofEmployers.map(({ address, id, found }) => {
            const name = found ? titleCase(found.employer.name) : `Employer ${id}`;
            return (
              <Row
                key={address}
                name={name}
                onRemove={() => remove(address)}
                action={found && action({ id: found.employer.id, name })}
              >
                {found ? (
                  <EmployerEntry {...found} />
                ) : ids.includes(id) ? (
                  <p>{name} is no longer listed.</p>
                ) : (
                  <Skeleton className="h-16 w-72 max-w-full" />
                )}
              </Row>
            );
          })}
        </Section>
      )}
      {searches.length > 0 && (
        <Section title="Searches" id="saved-searches">
          {searches.map(({ address, title }) => (
            <Row key={address} name={title} onRemove={() => remove(address)}>
              <Link to={address} className="prose-link">
                {title}
              </Link>
            </Row>
          ))}
        </Section>
      )}
    </>
  );
}

const isFirstReview = (found: SavedEmployer | undefined) => found?.is_first_review === true;

function Section({ title, id, children }: { title: string; id: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="pt-8">
      <h3 id={id} className="pb-3 font-display text-2xl">
        {title}
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

interface RowProps {
  name: string;
  onRemove: () => void;
  action?: ReactNode;
  children: ReactNode;
}

function Row(props: RowProps) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-t border-rule py-4">
      <div className="min-w-0 flex-[1_1_9rem] wrap-anywhere">{props.children}</div>
      <div className="flex max-w-full flex-wrap items-start gap-2">
        {props.action}
        <Button variant="quiet" size="sm" onClick={props.onRemove} className="shrink-0">
          <X aria-hidden className="size-4" />
          <span className="max-sm:sr-only">Remove</span>
          <span className="sr-only"> {props.name}</span>
        </Button>
      </div>
    </li>
  );
}

function EmployerEntry({ employer, newest_review_on, is_first_review }: SavedEmployer) {
  const { overall_rating, total_reviews } = employer;
  const place = formatLocation(employer);
  const facts = [
    plural(total_reviews, 'review'),
    newest_review_on && `newest ${formatLongDate(newest_review_on)}`,
  ];
  return (
    <>
      <Link
        to={paths.employer(employer.id)}
        className="font-display text-xl decoration-accent decoration-1 underline-offset-4 hover:underline"
      >
        {is_first_review ? firstReviewTitle(titleCase(employer.name)) : titleCase(employer.name)}
      </Link>
      {place && <p className="mt-0.5 text-sm text-ink-soft">{place}</p>}
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft lining-nums">
        <span className="font-display text-lg text-ink">{formatAverage(overall_rating)}</span>
        {overall_rating !== null && <Stars rating={overall_rating} size="sm" />}
        <span>{facts.filter(Boolean).join(', ')}</span>
      </p>
    </>
  );
}
