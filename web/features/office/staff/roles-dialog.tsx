import { useState } from 'react';
import { AppointmentRequest, type StaffMember } from '#contract/staff.ts';
import { ROLE_TASKS, ROLES, type Role } from '#contract/staff-roles.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { staffWrites } from './staff-writes.ts';

interface RolesDialogProps {
  member: StaffMember;
  onDone: (text: string) => void;
  onClose: () => void;
}

/** Changes the roles of a staff member. */
export function RolesDialog({ member, onDone, onClose }: RolesDialogProps) {
  const { id, first_name, last_name, roles: current } = member;
  const [invalid, setInvalid] = useState<string>();
  const { send, isBusy, error } = useWrite(staffWrites, 'appoint', {
    onDone: () => onDone(`The roles of ${first_name} ${last_name} have been changed.`),
  });

  function submit(roles: Role[]) {
    const message = AppointmentRequest.safeParse({ roles }).error?.issues[0]?.message;
    setInvalid(message);
    if (message === undefined) void send({ params: { id }, body: { roles } });
  }

  return (
    <FormDialog
      title={current.length > 0 ? 'Change roles' : 'Appoint again'}
      action="Save roles"
      busy={isBusy}
      onSubmit={(data) => submit(data.getAll('roles') as Role[])}
      onClose={onClose}
      className="flex flex-col gap-4"
    >
      {error && <Banner tone="error">{error.message}</Banner>}
      <fieldset aria-describedby={invalid && 'roles-error'}>
        <legend className="font-semibold">
          {first_name} {last_name}
        </legend>
        {(Object.keys(ROLES) as Role[]).map((role) => (
          <Checkbox
            key={role}
            name="roles"
            value={role}
            defaultChecked={current.includes(role)}
            label={ROLES[role]}
            hint={ROLE_TASKS[role]}
          />
        ))}
      </fieldset>
      {invalid && <FieldError id="roles-error">{invalid}</FieldError>}
    </FormDialog>
  );
}
