import type { Letter } from '#contract/verification.ts';
import { formatLocation, formatLongDate, plural } from '#web/lib/format.ts';

/** Where the letter is. Of the address, the page shows the city alone. */
export function LetterState({ letter }: { letter: Letter | null }) {
  if (letter === null) {
    return (
      <p>
        We mail a code to your practice address in the registry. The envelope is plain: nothing on
        it, or in it, speaks of reviews. If others open your mail there, choose a mailbox instead.
      </p>
    );
  }
  const city = formatLocation({ city: letter.city, state: null });
  const { state, requested_on, enter_by, attempts_left } = letter;
  if (state === 'waiting') {
    return (
      <p>
        Your letter to <strong className="text-ink">{city}</strong> waits to be printed. You ordered
        it on <Day>{requested_on}</Day>. Come back when it has arrived: you enter its code here.
      </p>
    );
  }
  if (state === 'sent') {
    return (
      <p>
        Your letter to <strong className="text-ink">{city}</strong> is on its way.
        {enter_by !== null && (
          <>
            {' '}
            Enter its code by <Day>{enter_by}</Day>.
          </>
        )}{' '}
        You have <span className="lining-nums">{plural(attempts_left, 'attempt')}</span> left.
      </p>
    );
  }
  return (
    <p>
      {state === 'expired' ? (
        <>The code of your letter to {city} has expired. It no longer works.</>
      ) : (
        <>You have no attempts left for the code of your letter to {city}.</>
      )}
    </p>
  );
}

function Day({ children }: { children: string }) {
  return <strong className="text-ink lining-nums">{formatLongDate(children)}</strong>;
}
