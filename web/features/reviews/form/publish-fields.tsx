import { useController } from 'react-hook-form';
import { PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import type { PublishChoice } from '#contract/review-choices.ts';
import { Radio } from '#web/ui/checkbox.tsx';
import type { ReviewFormState } from './review-values.ts';

const CHOICES: readonly (readonly [PublishChoice, string])[] = [
  ['now', 'Now'],
  ['later', `At a random time in the next ${PUBLISH_LATER_DAYS} days`],
];

export function PublishFields({ form: { control } }: { form: ReviewFormState }) {
  const { field } = useController({ control, name: 'publish' });
  return (
    <fieldset>
      <legend className="text-sm font-semibold">When should your review go live?</legend>
      {CHOICES.map(([value, label]) => (
        <Radio
          key={value}
          label={label}
          name={field.name}
          checked={field.value === value}
          onChange={() => field.onChange(value)}
        />
      ))}
      <p className="mt-2 text-sm text-ink-soft">
        A random time hides when you wrote your review from anyone who watches the site. Until then,
        only you can see it. You can change it, publish it, or take it back at any time.
      </p>
    </fieldset>
  );
}
