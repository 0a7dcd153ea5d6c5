import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { useEditing } from '#web/features/accounts/use-editing.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { NameForm } from './name-form.tsx';

type FullName = NonNullable<Doctor['verification']['registry_name']>;

interface RegistryNameProps {
  user: User;
  registryName: FullName;
  /** The new name is stored. */
  onCorrected: () => Promise<void>;
}

/** The registry's name beside one's own, which can be corrected here. */
export function RegistryName({ user, registryName, onCorrected }: RegistryNameProps) {
  const { mode, setMode, opener } = useEditing();
  return (
    <div className="flex flex-col gap-5">
      <h3 className="font-semibold">The two names differ</h3>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <NameOn term="Your account" name={user} />
        <NameOn term="The registry" name={registryName} />
      </dl>
      {mode === 'saved' && <Banner tone="success">Your name has been changed.</Banner>}
      {mode === 'editing' ? (
        <NameForm
          user={user}
          onSaved={() => {
            setMode('saved');
            return onCorrected();
          }}
          onCancel={() => setMode('cancelled')}
        />
      ) : (
        <>
          <p className="text-sm text-ink-soft">
            If the registry has an old name, update it there first, and then check again.
          </p>
          <Button
            ref={opener}
            variant="secondary"
            className="self-start"
            onClick={() => setMode('editing')}
          >
            Correct my name
          </Button>
        </>
      )}
    </div>
  );
}

function NameOn({ term, name }: { term: string; name: FullName }) {
  return (
    <div className="min-w-0 border-l-3 border-rule pl-4">
      <dt className="label-caps text-ink-faint">{term}</dt>
      <dd className="text-lg wrap-anywhere">
        {name.first_name} {name.last_name}
      </dd>
    </div>
  );
}
