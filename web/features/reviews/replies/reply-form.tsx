import { useState } from 'react';
import { REPLY_MAX } from '#contract/limits.ts';
import { type RemovedReply, ReplyRequest } from '#contract/review-replies.ts';
import { REVIEW_RULES, ruleAnchor } from '#contract/review-rules.ts';
import type { Review } from '#contract/reviews.ts';
import { formatCount, formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { replyWrites } from './reply-writes.ts';

interface ReplyActionsProps {
  review: Review;
  /** A moderator removed the reply to this review. */
  removed: RemovedReply | undefined;
}

/** A representative's actions on a review: write, edit, or delete the reply. */
export function ReplyActions({ review, removed }: ReplyActionsProps) {
  const [asked, ask] = useState<'write' | 'delete' | null>(null);
  if (removed) return <RemovalNotice removed={removed} />;
  const { id, reply } = review;
  if (asked === 'write') return <ReplyForm review={review} onClose={() => ask(null)} />;
  return (
    <div className="flex flex-wrap gap-3">
      <Button size="sm" variant="secondary" onClick={() => ask('write')}>
        {reply ? 'Edit reply' : 'Write a reply'}
      </Button>
      {reply && (
        <Button size="sm" variant="quiet" onClick={() => ask('delete')}>
          Delete reply
        </Button>
      )}
      {asked === 'delete' && <DeleteDialog reviewId={id} onClose={() => ask(null)} />}
    </div>
  );
}

/** Keeps what was typed after an error. */
function ReplyForm({ review: { id, reply }, onClose }: { review: Review; onClose: () => void }) {
  const [typedError, setTypedError] = useState<string>();
  const { send, isBusy, error } = useWrite(replyWrites, reply ? 'editReply' : 'writeReply', {
    onDone: onClose,
  });
  const foundError = (error?.errors as Record<string, string[]> | undefined)?.['text'];
  const textError = typedError ?? foundError?.join(' ');

  function submit(form: FormData) {
    const typed = { text: String(form.get('text') ?? '') };
    const body = ReplyRequest.safeParse(typed);
    setTypedError(body.error?.issues[0]?.message);
    if (body.success) void send({ params: { id }, body: body.data });
  }

  return (
    <DataForm onSubmit={submit} className="flex max-w-[42rem] flex-col gap-4">
      {error && !foundError && <Banner tone="error">{error.message}</Banner>}
      <Field
        label="Your reply"
        hint={`Up to ${formatCount(REPLY_MAX)} characters. Everyone can read it, without your name. Do not ask or guess who wrote the review, and do not ask its author to get in touch. A moderator will remove such replies.`}
        error={textError}
      >
        {(control) => (
          <TextArea
            {...control}
            name="text"
            rows={6}
            maxLength={REPLY_MAX}
            defaultValue={reply?.text}
            ref={focusOn}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={isBusy}>
          {reply ? 'Save reply' : 'Publish reply'}
        </Button>
        <Button variant="secondary" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </DataForm>
  );
}

/** The button that had the focus is gone. */
const focusOn = (element: HTMLTextAreaElement | null) => element?.focus();

function DeleteDialog({ reviewId, onClose }: { reviewId: string; onClose: () => void }) {
  const { send, isBusy, error } = useWrite(replyWrites, 'deleteReply', { onDone: onClose });
  return (
    <Dialog
      title="Delete reply"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            busy={isBusy}
            onClick={() => void send({ params: { id: reviewId } })}
          >
            Delete reply
          </Button>
        </>
      }
    >
      {error && <Banner tone="error">{error.message}</Banner>}
      <p>The reply will disappear from the review right away.</p>
    </Dialog>
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
