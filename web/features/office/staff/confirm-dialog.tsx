import type { StaffMember } from '#contract/staff.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { staffWrites } from './staff-writes.ts';

const ACTS = {
  dismiss: {
    title: 'Remove from staff',
    text: 'This removes all roles and the second factor. The account itself stays.',
  },
  resetFactor: {
    title: 'Reset second factor',
    text: 'For someone who lost both their phone and their recovery codes. Make sure that the request really comes from them.',
  },
} as const;
export type ConfirmedAct = keyof typeof ACTS;

interface ConfirmDialogProps {
  act: ConfirmedAct;
  member: StaffMember;
  onDone: (text: string) => void;
  onClose: () => void;
}

/** Asks for confirmation before an action on a staff member. */
export function ConfirmDialog({ act, member, onDone, onClose }: ConfirmDialogProps) {
  const { id, first_name, last_name } = member;
  const { title, text } = ACTS[act];
  const { send, isBusy, error } = useWrite(staffWrites, act, {
    onDone: ({ message }) => onDone(message),
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" busy={isBusy} onClick={() => void send({ params: { id } })}>
            {title}
          </Button>
        </>
      }
    >
      {error && <Banner tone="error">{error.message}</Banner>}
      <p className="font-semibold">
        {first_name} {last_name}
      </p>
      <p>{text}</p>
    </Dialog>
  );
}
