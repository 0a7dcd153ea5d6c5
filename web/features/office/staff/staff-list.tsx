import { useState } from 'react';
import { redirect } from 'react-router';
import { staffEndpoints } from '#contract/endpoints/office.ts';
import { AppointmentRequest, type StaffMember } from '#contract/office/staff.ts';
import { ROLE_TASKS, ROLES, type Role } from '#contract/staff-roles.ts';
import { Form } from '#web/form/form.tsx';
import { paths } from '#web/lib/paths.ts';
import { session } from '#web/lib/session.ts';
import { call, pageWrites, useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';

/** The user's own roles may have changed, too: who is left alone has all of them. */
async function rereadRoles() {
  await session.reload();
  if (!session.get().user?.is_admin) throw redirect(paths.dashboard());
}

export const staffWrites = pageWrites({
  appoint: call(staffEndpoints.appoint, rereadRoles),
  dismiss: call(staffEndpoints.dismiss, rereadRoles),
  resetFactor: call(staffEndpoints.resetFactor),
});

interface RolesDialogProps {
  member: StaffMember;
  onDone: (text: string) => void;
  onClose: () => void;
}

/** Changes the roles of a staff member. */
function RolesDialog({ member, onDone, onClose }: RolesDialogProps) {
  const { id, first_name, last_name, roles: current } = member;
  const { send, error } = useWrite(staffWrites, 'appoint', {
    onDone: () => onDone(`The roles of ${first_name} ${last_name} have been changed.`),
  });
  return (
    <Form
      dialog={{ title: current.length > 0 ? 'Change roles' : 'Appoint again' }}
      schema={AppointmentRequest}
      fields={[
        {
          name: 'roles',
          label: `${first_name} ${last_name}`,
          kind: 'checkboxes',
          value: current,
          options: ROLE_KEYS.map((role) => [role, ROLES[role], ROLE_TASKS[role]]),
        },
      ]}
      action="Save roles"
      error={error}
      onSubmit={(body) => send({ params: { id }, body })}
      onCancel={onClose}
    />
  );
}

const ROLE_KEYS = Object.keys(ROLES) as Role[];

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
type ConfirmedAct = keyof typeof ACTS;

interface ConfirmDialogProps {
  act: ConfirmedAct;
  member: StaffMember;
  onDone: (text: string) => void;
  onClose: () => void;
}

/** Asks for confirmation before an action on a staff member. */
function ConfirmDialog({ act, member, onDone, onClose }: ConfirmDialogProps) {
  const { id, first_name, last_name } = member;
  const { title, text } = ACTS[act];
  const { send, error } = useWrite(staffWrites, act, {
    onDone: ({ message }) => onDone(message),
  });
  return (
    <Form
      dialog={{ title }}
      fields={[]}
      action={{ text: title, variant: 'danger' }}
      error={error}
      onSubmit={() => send({ params: { id } })}
      onCancel={onClose}
    >
      <p className="font-semibold">
        {first_name} {last_name}
      </p>
      <p>{text}</p>
    </Form>
  );
}

interface Asked {
  act: ConfirmedAct | 'roles';
  member: StaffMember;
}

/** The staff of the office with their roles, and what an owner can change. */
export function StaffList({ staff, former }: Record<'staff' | 'former', readonly StaffMember[]>) {
  const [asked, ask] = useState<Asked | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const dialog = asked && {
    member: asked.member,
    onClose: () => ask(null),
    onDone(text: string) {
      ask(null);
      setDone(text);
    },
  };

  return (
    <>
      {done && (
        <Banner tone="success" takesFocus className="mb-8">
          {done}
        </Banner>
      )}
      <ul className="flex flex-col gap-6">
        {staff.map((member) => (
          <Member
            key={member.id}
            member={member}
            isOnly={staff.length === 1}
            onAsk={(act) => {
              setDone(null);
              ask({ act, member });
            }}
          />
        ))}
      </ul>
      {former.length > 0 && (
        <section className="curb-rule mt-10 pt-6">
          <h2 className="label-caps text-ink-faint">Former staff</h2>
          <ul className="flex flex-col gap-6 pt-4">
            {former.map((member) => (
              <li key={member.id}>
                <PersonHeading level="h3" member={member} />
                <Button
                  size="sm"
                  variant="secondary"
                  className="mt-4"
                  onClick={() => {
                    setDone(null);
                    ask({ act: 'roles', member });
                  }}
                >
                  Appoint again
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {asked?.act === 'roles' && dialog && <RolesDialog {...dialog} />}
      {asked && asked.act !== 'roles' && dialog && <ConfirmDialog {...dialog} act={asked.act} />}
    </>
  );
}

function PersonHeading({ level: Level, member }: { level: 'h2' | 'h3'; member: StaffMember }) {
  return (
    <>
      <Level className="font-display text-xl wrap-anywhere">
        {member.first_name} {member.last_name}
      </Level>
      <p className="text-ink-soft wrap-anywhere">{member.email}</p>
    </>
  );
}

interface MemberProps {
  member: StaffMember;
  isOnly: boolean;
  onAsk: (act: Asked['act']) => void;
}

function Member({ member, isOnly, onAsk }: MemberProps) {
  const { roles, has_factor } = member;
  return (
    <li className="curb-rule pt-6">
      <PersonHeading level="h2" member={member} />
      <p className="mt-2">
        {roles.map((role) => ROLES[role]).join(', ')}
        <span className="text-sm text-ink-faint">
          {has_factor ? ' · second factor' : ' · no second factor'}
        </span>
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button size="sm" variant="secondary" onClick={() => onAsk('roles')}>
          Change roles
        </Button>
        {has_factor && (
          <Button size="sm" variant="secondary" onClick={() => onAsk('resetFactor')}>
            Reset second factor
          </Button>
        )}
        {!isOnly && (
          <Button size="sm" variant="danger" onClick={() => onAsk('dismiss')}>
            Remove from staff
          </Button>
        )}
      </div>
    </li>
  );
}
