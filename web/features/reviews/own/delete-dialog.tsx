import { useState } from 'react';
import { REVIEW_MESSAGES } from '#contract/review-choices.ts';
import { apiPaths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface DeleteDialogProps {
  /** The review to ask about; null while nothing is asked. */
  reviewId: string | null;
  onDeleted: (reviewId: string) => void;
  /** Also once it is deleted and the user has read so. */
  onClose: () => void;
}

type Stage = 'asking' | 'deleting' | 'deleted' | 'failed';

const MESSAGES: Record<Stage, string> = {
  asking: REVIEW_MESSAGES.confirmDelete,
  deleting: REVIEW_MESSAGES.confirmDelete,
  deleted: REVIEW_MESSAGES.deleted,
  failed: REVIEW_MESSAGES.deleteFailed,
};

/** Asks, deletes, and tells how it went (specification, section 8, "Reviews"). */
export function DeleteDialog({ reviewId, onDeleted, onClose }: DeleteDialogProps) {
  // Of which review: closed early, an answer must not stand in the next one's question.
  const [told, tell] = useState<{ id: string; stage: Stage } | null>(null);
  const stage = told && told.id === reviewId ? told.stage : 'asking';
  const isAsking = stage === 'asking' || stage === 'deleting';

  async function remove(id: string) {
    tell({ id, stage: 'deleting' });
    try {
      await api.delete(apiPaths.review(id));
      tell({ id, stage: 'deleted' });
      onDeleted(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tell({ id, stage: 'failed' });
    }
  }

  function close() {
    tell(null);
    onClose();
  }

  return (
    <Dialog
      title={stage === 'deleted' ? 'Review deleted' : 'Delete review'}
      isOpen={reviewId !== null}
      onClose={close}
      actions={
        isAsking ? (
          <>
            <Button variant="secondary" onClick={close}>
              Cancel
            </Button>
            <Button
              variant="danger"
              busy={stage === 'deleting'}
              onClick={() => reviewId !== null && void remove(reviewId)}
            >
              Delete
            </Button>
          </>
        ) : (
          <Button onClick={close}>OK</Button>
        )
      }
    >
      <p role={isAsking ? undefined : 'alert'}>{MESSAGES[stage]}</p>
    </Dialog>
  );
}
