declare global {
  interface Window {
    /** Until the page has been hydrated and has repeated them. */
    earlyPresses?: Set<HTMLElement>;
  }
}

/**
 * Runs in the head. Notes which buttons are pressed before the page's scripts have arrived, and in
 * which forms Enter is. Left out are those that work without scripts: menus, and searches.
 */
export const NOTE_PRESSES_SCRIPT =
  'earlyPresses=new Set;' +
  'noteEarlyPress=({key:k,target:t})=>{' +
  "(t=k?k=='Enter'&&t.closest('input')?.form?.method=='post'&&t.form:" +
  "t.closest('button[type=button]:not([popovertarget])'))&&earlyPresses.add(t)};" +
  "addEventListener('click',noteEarlyPress,true);addEventListener('keydown',noteEarlyPress,true);";

/** Runs when React starts to hydrate the page, and takes care of presses itself. */
export const STOP_NOTING_SCRIPT =
  "removeEventListener('click',noteEarlyPress,true);" +
  "removeEventListener('keydown',noteEarlyPress,true);";

/** Presses these again. Once each: whoever pressed one twice was impatient. */
export function repeatEarlyPresses(): void {
  // After the current task, because during an effect React cannot hydrate what is pressed.
  setTimeout(() => {
    for (const pressed of window.earlyPresses ?? []) {
      if (pressed instanceof HTMLFormElement) pressed.requestSubmit();
      else pressed.click();
    }
    delete window.earlyPresses;
  });
}
