import { Form, useLocation, useNavigate } from 'react-router';
import type { EmployerInsights } from '#contract/employers.ts';
import { titleCase } from '#contract/names.ts';
import { REVIEW_ORDERINGS } from '#contract/review-choices.ts';
import { formatCount } from '#web/lib/format.ts';
import { paths, type Query } from '#web/lib/paths.ts';
import { useMirror } from '#web/lib/use-mirror.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import type { Origin } from './back-link.tsx';

interface ReviewChoicesProps {
  employerId: number;
  query: Query;
  positions: EmployerInsights['position_titles'];
}

/** Which of an employer's reviews to show, and in what order: a GET form, sent as it is changed. */
export function ReviewChoices({ employerId, query, positions }: ReviewChoicesProps) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [byDate] = Object.keys(REVIEW_ORDERINGS);
  const [position, showPosition] = useMirror(String(query['position_title'] ?? ''));
  const [ordering, showOrdering] = useMirror(String(query['ordering'] ?? byDate));
  const ask = (position_title: string, order: string) =>
    void navigate(
      paths.employer(employerId, { position_title, ordering: order === byDate ? null : order }),
      { preventScrollReset: true, state: { ...(state as Origin | null), isFiltered: true } },
    );
  return (
    <Form
      action={paths.employer(employerId)}
      className="flex flex-wrap items-end gap-x-4 gap-y-3 pb-6 lining-nums"
    >
      <Field label="Position" className="max-sm:basis-full">
        {(control) => (
          <Select
            {...control}
            name="position_title"
            value={position}
            onChange={({ target }) => {
              showPosition(target.value);
              ask(target.value, ordering);
            }}
            className="sm:max-w-80 sm:min-w-52"
          >
            <option value="">All positions</option>
            {positions.map(({ title, count }) => (
              <option key={title} value={title}>
                {titleCase(title)} ({formatCount(count)})
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Sort by" className="max-sm:basis-full">
        {(control) => (
          <Select
            {...control}
            name="ordering"
            value={ordering}
            onChange={({ target }) => {
              showOrdering(target.value);
              ask(position, target.value);
            }}
            className="sm:min-w-44"
          >
            {Object.entries(REVIEW_ORDERINGS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="hidden noscript:block">
        <Button type="submit" variant="secondary" className="min-h-12">
          Show
        </Button>
      </div>
    </Form>
  );
}
