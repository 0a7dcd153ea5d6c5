import { NumberedSection } from './numbered-section.tsx';

/** The categories that reviews rate. */
const CATEGORIES = [
  {
    title: 'Work-life balance',
    text: 'How flexible the schedule is, whether time off is really off, and how heavy the workload gets.',
  },
  {
    title: 'Mentorship and growth',
    text: 'Who teaches, who opens doors, and where former trainees and colleagues went next.',
  },
  {
    title: 'Team collaboration',
    text: 'Whether nurses, consultants, and administrators pull together when it counts.',
  },
  {
    title: 'Compensation and benefits',
    text: 'How pay compares with the local market, what the bonus really depends on, and what the benefits are worth.',
  },
  {
    title: 'Immigration support',
    text: 'Visa sponsorship, legal help, and relocation: whether promises in the offer were kept.',
  },
];

export function Categories() {
  return (
    <NumberedSection
      id="categories"
      title="Five things worth comparing"
      lede="Every review rates the same five, so that you can compare employers side by side."
      items={CATEGORIES}
    />
  );
}
