import { useState } from 'react';
import { EMPLOYER_REVIEWS_PAGE_SIZE, REPLY_MAX } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import type { Representative } from '#contract/replies/representatives.ts';
import { REVIEW_RULES, ruleAnchor } from '#contract/review-rules.ts';
import { type RemovedReply, ReplyRequest } from '#contract/reviews/review-replies.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { Form } from '#web/form/form.tsx';
import { formatCount, formatLongDate, plural } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner, focusOn } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { type PageLink, Pagination } from '#web/ui/pagination.tsx';
import { replyWrites } from './reply-writes.ts';
import { ReviewCard } from './review-card.tsx';

interface ReplyActionsProps {
  review: Review;
  /** A moderator removed the reply to this review. */
  removed: RemovedReply | undefined;
}

/** A representative's actions on a review: write, edit, or delete the reply. */
function ReplyActions({ review, removed }: ReplyActionsProps) {
  const [asked, ask] = useState<'write' | 'delete' | 'closed' | null>(null);
  if (removed) return <RemovalNotice removed={removed} />;
  const { id, reply } = review;
  const close = () => ask('closed');
  if (asked === 'write') return <ReplyForm review={review} onClose={close} />;
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        size="sm"
        variant="secondary"
        ref={asked === 'closed' ? focusOn : null}
        onClick={() => ask('write')}
      >
        {reply ? 'Edit reply' : 'Write a reply'}
      </Button>
      {reply && (
        <Button size="sm" variant="quiet" onClick={() => ask('delete')}>
          Delete reply
        </Button>
      )}
      {asked === 'delete' && (
        <DeleteDialog reviewId={id} onDone={close} onClose={() => ask(null)} />
      )}
    </div>
  );
}

function ReplyForm({ review: { id, reply }, onClose }: { review: Review; onClose: () => void }) {
  const { send, error } = useWrite(replyWrites, reply ? 'editReply' : 'writeReply', {
    onDone: onClose,
  });
  return (
    <Form
      schema={ReplyRequest}
      fields={[
        {
          name: 'text',
          label: 'Your reply',
          hint: `Up to ${formatCount(REPLY_MAX)} characters. Everyone can read it, without your name. Do not ask or guess who wrote the review, and do not ask its author to get in touch. A moderator will remove such replies.`,
          kind: 'area',
          rows: 6,
          maxLength: REPLY_MAX,
          value: reply?.text,
          // The button that had the focus is gone.
          takesFocus: true,
        },
      ]}
      action={{ text: reply ? 'Save reply' : 'Publish reply', size: 'sm' }}
      draft={`reply:${id}`}
      error={error}
      onSubmit={(body) => send({ params: { id }, body })}
      onCancel={onClose}
      form={{ className: 'flex max-w-[42rem] flex-col gap-4' }}
    />
  );
}

interface DeleteDialogProps {
  reviewId: string;
  onDone: () => void;
  onClose: () => void;
}

function DeleteDialog({ reviewId, onDone, onClose }: DeleteDialogProps) {
  const { send, error } = useWrite(replyWrites, 'deleteReply', { onDone });
  return (
    <Form
      dialog={{ title: 'Delete reply' }}
      fields={[]}
      action={{ text: 'Delete reply', variant: 'danger' }}
      error={error}
      onSubmit={() => send({ params: { id: reviewId } })}
      onCancel={onClose}
    >
      <p>The reply will disappear from the review right away.</p>
    </Form>
  );
}

/** The only place where the employer learns about a moderator's decision. */
const RemovalNotice = ({
  removed: { text, reason, rule, decided_on },
}: {
  removed: RemovedReply;
}) => (
  <Banner tone="info">
    <div className="flex flex-col gap-2">
      <p className="font-semibold">A moderator removed your reply to this review.</p>
      <p className="whitespace-pre-line wrap-anywhere">{text}</p>
      <p>Reason: {reason}</p>
      <p>
        Decided on {formatLongDate(decided_on)}. Rule:{' '}
        <Link to={paths.guidelines(ruleAnchor(rule))} className="prose-link">
          {REVIEW_RULES[rule].name}
        </Link>
        .
      </p>
    </div>
  </Banner>
);

interface RepresentativeReviewsProps {
  own: Representative;
  reviews: { count: number; results: readonly Review[] };
  removed: readonly RemovedReply[];
  page: number;
}

/** The public reviews of the employer, each with its reply. */
export function RepresentativeReviews(props: RepresentativeReviewsProps) {
  const { own, reviews, removed, page } = props;
  const byReview = new Map(removed.map((reply) => [reply.review_id, reply]));
  const name = titleCase(own.employer.name);
  const link: PageLink = ({ page: target, ...rest }) => (
    <Link {...rest} to={paths.represent({ page: target === 1 ? null : target })} />
  );
  return (
    <div className="page-width">
      <PageHeading
        title={name}
        subtitle={`Your work title: ${own.work_title}. Replies do not show your name.`}
        action={
          <Link to={paths.employer(own.employer.id)} className={buttonClass('secondary')}>
            Public page
          </Link>
        }
      />
      <section aria-labelledby="reviews" className="mt-6">
        <h2 id="reviews" className="pb-4 font-display text-2xl lining-nums">
          {plural(reviews.count, 'review')}
        </h2>
        {reviews.results.length === 0 && (
          <EmptyState title="No reviews yet">There is nothing to reply to.</EmptyState>
        )}
        {reviews.results.map((review) => (
          <ReviewCard
            key={review.id}
            review={review}
            isExpanded
            leadsWithPosition
            actions={<ReplyActions review={review} removed={byReview.get(review.id)} />}
          />
        ))}
        <Pagination
          current={page}
          pages={Math.ceil(reviews.count / EMPLOYER_REVIEWS_PAGE_SIZE)}
          link={link}
        />
      </section>
    </div>
  );
}
