declare global {
  interface Window {
    earlyPresses?: Set<HTMLElement>;
  }
}

/**
 * Runs in the head. Notes which buttons are pressed before the page's scripts have arrived. Left out
 * are buttons that work without scripts: those that send a form or open a menu.
 */
export const NOTE_PRESSES_SCRIPT =
  'earlyPresses=new Set;' +
  "addEventListener('click',noteEarlyPress=({target:t})=>{" +
  "(t=t.closest('button[type=button]:not([popovertarget])'))&&earlyPresses.add(t)},true);";

/** Runs when React starts to hydrate the page, and takes care of presses itself. */
export const STOP_NOTING_SCRIPT = "removeEventListener('click',noteEarlyPress,true);";

/** Presses these buttons again. Once each: whoever pressed one twice was impatient. */
export function repeatEarlyPresses(): void {
  // After the current task, because during an effect React cannot hydrate what is pressed.
  setTimeout(() => {
    for (const button of window.earlyPresses ?? []) button.click();
    window.earlyPresses?.clear();
  });
}
