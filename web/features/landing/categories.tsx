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
    <section aria-labelledby="categories" className="page-width py-16">
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[17rem_1fr]">
        <div>
          <h2 id="categories" className="font-display text-2xl">
            Five things worth comparing
          </h2>
          <p className="mt-3 text-ink-soft">
            Every review rates the same five, so that two employers can be held side by side.
          </p>
        </div>
        <ol className="border-t border-ink">
          {CATEGORIES.map(({ title, text }, place) => (
            <li
              key={title}
              className="grid grid-cols-[2rem_1fr] gap-x-2 border-b border-rule py-5 sm:grid-cols-[2rem_15.5rem_1fr]"
            >
              <span aria-hidden className="font-display text-xl leading-7 text-accent">
                {place + 1}
              </span>
              <h3 className="text-base font-semibold">{title}</h3>
              <p className="text-ink-soft max-sm:col-start-2">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
