import type { Doctor } from '#contract/doctors.ts';
import { isSameName, personName } from '#contract/person-names.ts';
import { Banner } from '#web/ui/banner.tsx';

interface NameNoteProps {
  id: string;
  /** Undefined: nobody's name was verified. */
  verified: Doctor['verification']['verified_name'];
  typed: { first_name: string; last_name: string };
}

/** Says before it is saved that a name loses the verification. */
export function NameNote({ id, verified, typed }: NameNoteProps) {
  const isIncomplete = [typed.first_name, typed.last_name].some((name) => name.trim() === '');
  const loses =
    verified !== undefined && !isIncomplete && !isSameName(personName(verified), personName(typed));
  return (
    <div id={id} className="empty:hidden">
      {loses && (
        <Banner tone="info">
          Your name was verified as {verified.first_name} {verified.last_name}. If you save a name
          that does not match, your account goes back to pending until it is verified again. Until
          then you cannot post reviews.
        </Banner>
      )}
    </div>
  );
}
