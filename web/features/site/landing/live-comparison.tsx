import { Link } from '#web/lib/link.tsx';
import { Stars } from '#web/ui/stars.tsx';
import type { readLive } from './read-live.ts';

type LiveComparisonProps = NonNullable<Awaited<ReturnType<typeof readLive>>>;

/** The site's numbers, and two of its employers side by side. */
export function LiveComparison({ numbers, employers, rows, path }: LiveComparisonProps) {
  return (
    <section aria-labelledby="live" className="curb-rule self-center pt-4 lining-nums">
      <h2 id="live" className="font-display text-xl">
        {numbers}
      </h2>
      <table className="mt-3 w-full table-fixed text-sm wrap-anywhere [&_:is(td,th)]:py-1 sm:[&_:is(td,th)]:py-1.5 [&_:is(td,th)]:pr-1 [&_:is(td,th)]:text-left [&_:is(td,th)]:align-top">
        <caption className="sr-only">The two employers with the most reviews</caption>
        <thead>
          <tr className="border-b border-rule">
            <td className="w-2/5 max-sm:w-[44%]" />
            {employers.map(({ name, about, path: page }) => (
              <th key={page} scope="col" className="max-sm:text-xs">
                <Link to={page}>{name}</Link>
                <span className="block text-xs font-normal text-ink-faint">{about}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, averages }) => (
            <tr key={label} className="border-b border-rule">
              <th scope="row" className="font-normal text-ink-soft max-sm:text-xs">
                {label}
              </th>
              {averages.map((average, place) => (
                <td key={employers[place]?.path}>
                  {average === null ? (
                    'N/A'
                  ) : (
                    <>
                      {average.toFixed(1)}{' '}
                      <span aria-hidden className="max-sm:hidden">
                        <Stars rating={average} size="sm" />
                      </span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-sm">
        <Link to={path} className="prose-link">
          Compare them in full
        </Link>
      </p>
    </section>
  );
}
