import type { Employer } from '#contract/employers.ts';
import { categoryRatings } from '#web/lib/category-ratings.ts';
import { formatAverage, plural } from '#web/lib/format.ts';
import { RatingList } from '#web/ui/rating-list.tsx';
import { Stars } from '#web/ui/stars.tsx';

/** The averages; nothing until there is a review. */
export function EmployerRatings({ employer }: { employer: Employer }) {
  if (employer.total_reviews === 0 || employer.overall_rating === null) return null;
  const categories = categoryRatings({
    work_life_balance_rating: employer.avg_work_life_balance_rating,
    mentorship_growth_rating: employer.avg_mentorship_growth_rating,
    team_collaboration_rating: employer.avg_team_collaboration_rating,
    compensation_benefits_rating: employer.avg_compensation_benefits_rating,
    immigration_support_rating: employer.avg_immigration_support_rating,
  });
  return (
    <div className="grid gap-x-12 gap-y-8 border-t border-rule py-8 md:grid-cols-[13rem_1fr]">
      <section aria-labelledby="overall-rating">
        <h2 id="overall-rating" className="label-caps text-ink-faint">
          Overall rating
        </h2>
        <p className="mt-1 font-display text-4xl leading-none lining-nums">
          {formatAverage(employer.overall_rating)}
        </p>
        <Stars rating={employer.overall_rating} size="lg" className="mt-2" />
        <p className="mt-1 text-sm text-ink-soft">
          Based on {plural(employer.total_reviews, 'review')}
        </p>
      </section>
      <section aria-labelledby="category-ratings" className="max-w-[42rem]">
        <h2 id="category-ratings" className="label-caps mb-3 text-ink-faint">
          Category ratings
        </h2>
        <RatingList ratings={categories} decimals={1} />
      </section>
    </div>
  );
}
