import { NumberedSection } from './numbered-section.tsx';

/** Specification, section 1: what reviews are compared across. */
const CATEGORIES = [
  {
    title: 'Work-life balance',
    text: 'How far the schedule bends, whether time off is time off, and what the workload is at its worst.',
  },
  {
    title: 'Mentorship and growth',
    text: 'Who teaches, who opens doors, and where people who trained or worked there went next.',
  },
  {
    title: 'Team collaboration',
    text: 'Whether nurses, consultants and administrators pull in one direction when it counts.',
  },
  {
    title: 'Compensation and benefits',
    text: 'Pay against the local market, what the bonus really depends on, and what the benefits are worth.',
  },
  {
    title: 'Immigration support',
    text: 'Visa sponsorship, legal help and relocation: promised in the offer, and kept afterwards.',
  },
];

export function Categories() {
  return (
    <NumberedSection
      id="categories"
      title="Five things worth comparing"
      lede="Every review rates the same five, so that two employers can be held side by side."
      items={CATEGORIES}
    />
  );
}
