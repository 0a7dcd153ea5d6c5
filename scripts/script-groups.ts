/**
 * Files of scripts, by the modules in them. A group is what most of its pages need at once: many small
 * files compress worse, and each needs its own request, with 1 kB of headers. A group also takes along
 * what its modules import, unless another group has it.
 */
export const GROUPS: Readonly<Record<string, readonly RegExp[]>> = {
  framework: [/node_modules\/(?:react|react-dom|react-router|scheduler)\//],
  // Of every page.
  shell: [
    /\/web\/(?:root|entry\.client|routes\/page)\.tsx$/,
    /\/web\/shell\//,
    /\/web\/lib\/(?:page-meta|session|storage-room|use-hydrated)\./,
    /vite\/preload-helper\.js$/,
    /\/web\/ui\/(?:button|control|cx|lucide-icon|skeleton|spinner|stars)\./,
    // Used by the landing page and by paged lists. Otherwise one would load all of the other.
    /\/lucide-react\/dist\/esm\/icons\/chevron-(?:left|right)\./,
  ],
  // Of every page but the landing page.
  lib: [
    /\/web\/lib\/(?!my-specialty)/,
    /\/web\/ui\/(?!combobox|empty-state|pagination|rating-histogram|select|star-picker|text-page)/,
    /\/lucide-react\/dist\/esm\/icons\/(?:arrow-left|bookmark|check)\./,
    /\/contract\/(?:errors|names|endpoints\/(?:employers|replies))\.ts$/,
    /\/reply-writes\.ts$/,
  ],
  // Of the directory, the reviews, an employer, and the comparison.
  lists: [
    /\/web\/features\/reviews\/(?:review-card|feedback\/(?!report))/,
    /\/correction-writes\.ts$/,
    /\/contract\/(?:concerns|[\w-]+-choices|saved-\w+)\.ts$/,
    /\/contract\/endpoints\/(?:feedback|reviews|saved|suggestions)\.ts$/,
    /\/web\/listing\/(?!search-combobox|suggested|specialty-words)/,
    /\/web\/ui\/(?:combobox|empty-state|pagination|select)\./,
    /\/web\/features\/saved\/(?:save-toggle|saved|saved-store|browser-list)\./,
    /\/web\/features\/employers\/compare\/(?:compare-tray|shortlist)\./,
    /\/web\/lib\/my-specialty/,
  ],
  // Of the forms of signed-out visitors. What checks them is loaded later (web/lib/lazy-checks.ts).
  forms: [
    /\/web\/features\/accounts\/(?:account-screen|account-writes|verification\/account-status)\./,
    /\/contract\/endpoints\/(?:account|representatives|verification)\./,
    /node_modules\/react-hook-form\//,
    /\/web\/features\/accounts\/(?:account-form|failures|password-fields|signup-code-form)\./,
    /\/contract\/(?:password-rules|account-messages)\./,
  ],
};
