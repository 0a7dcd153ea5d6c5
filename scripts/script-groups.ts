/**
 * Script files, by the modules in them. A group has modules that most of its pages need together: many
 * small files compress worse, and each needs a request with 1 kB of headers. A group also includes its
 * modules' imports, unless another group has them.
 */
export const GROUPS: Readonly<Record<string, readonly RegExp[]>> = {
  framework: [/node_modules\/(?:react|react-dom|react-router|scheduler)\//],
  // For every page.
  shell: [
    /\/web\/(?:root|entry\.client|routes\/page)\.tsx$/,
    /\/web\/shell\/(?!popover-fallback)/,
    /\/web\/lib\/(?:page-meta|session|store)\./,
    /vite\/preload-helper\.js$/,
    /\/web\/ui\/(?:button|control|cx|lucide-icon|loading|stars)\./,
    // The landing page and paged lists use it. Otherwise, one would load all of the other.
    /\/lucide-react\/dist\/esm\/icons\/chevron-(?:left|right)\./,
  ],
  // For every page except the landing page.
  lib: [
    /\/web\/lib\/(?!form-drafts|printed-from|case-decision)/,
    /\/web\/ui\/(?!combobox|empty-state|pagination|rating-histogram|share-button|text-page)/,
    /\/lucide-react\/dist\/esm\/icons\/(?:arrow-left|bookmark|check)\./,
    /\/contract\/(?:errors|names|endpoints\/(?:employers|replies))\.ts$/,
    /\/reply-writes\.ts$/,
  ],
  // For the directory, the reviews, an employer, and the comparison.
  lists: [
    /\/web\/features\/reviews\/(?:review-card|feedback\/(?!report))/,
    /\/correction\/correction\.ts$/,
    /\/contract\/(?:concerns|review-choices|employers\/employer-choices|saved\/saved-\w+)\.ts$/,
    /\/contract\/legal-demands\/legal-demand-choices\.ts$/,
    /\/contract\/endpoints\/(?:feedback|reviews|saved)\.ts$/,
    /\/web\/listing\/(?!search-combobox|specialty-words)/,
    /\/web\/ui\/(?:combobox|empty-state|pagination|share-button)\./,
    /\/web\/features\/saved\/(?:saved|saved-store)\./,
    /\/web\/features\/employers\/compare\/compare-tray\./,
    /\/web\/lib\/printed-from/,
  ],
  // For every page with a form. The schemas for signed-out visitors are loaded later.
  form: [/\/web\/form\//, /\/web\/lib\/form-drafts\./],
  // For signed-out visitors' forms.
  accounts: [
    /\/web\/features\/accounts\/(?:account-screen|account-writes|verification\/account-status)\./,
    /\/contract\/endpoints\/(?:account|verification)\./,
    /\/web\/features\/accounts\/(?:account-fields|failures|signup-code-step)\./,
    /\/contract\/accounts\/account-rules\./,
  ],
};
