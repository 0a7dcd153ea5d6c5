import { REVIEW_TEXT_MAX } from '#contract/limits.ts';
import { formatCount } from '#web/lib/format.ts';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { FieldFindings } from './field-findings.tsx';
import type { ReviewFormState } from './review-values.ts';
import type { Failure } from './submit-failure.ts';

interface TextFieldsProps {
  form: ReviewFormState;
  failure: Failure | null;
}

const FIELDS = [
  {
    name: 'review_text',
    label: 'Review Summary *',
    hint: `What should a colleague know before signing? Up to ${formatCount(REVIEW_TEXT_MAX)} characters.`,
    rows: 6,
    required: true,
  },
  { name: 'pros', label: 'Pros', hint: 'Optional', rows: 4, required: false },
  { name: 'cons', label: 'Cons', hint: 'Optional', rows: 4, required: false },
] as const;

export function TextFields({ form, failure }: TextFieldsProps) {
  return FIELDS.map(({ name, label, hint, ...area }) => (
    <div key={name}>
      <Field label={label} hint={hint}>
        {(control) => (
          <TextArea
            {...control}
            {...area}
            {...form.register(name)}
            aria-invalid={failure?.field === name || undefined}
          />
        )}
      </Field>
      <FieldFindings field={name} text={form.getValues(name)} failure={failure} />
    </div>
  ));
}
