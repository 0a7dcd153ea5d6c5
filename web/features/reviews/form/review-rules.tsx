/** The rules of a review (docs/product.md, "Purpose"). */
const RULES = [
  'Your name is never shown on reviews.',
  'You can edit or delete a review from your dashboard.',
  'Keep it professional, constructive and honest.',
  'No protected health information, patient details or defamatory content.',
  'Employer data comes from public and user-submitted sources and may be incomplete.',
];

export function ReviewRules() {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-ink-soft marker:text-ink-faint">
      {RULES.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
