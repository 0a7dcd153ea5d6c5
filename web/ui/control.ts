/** The look of text boxes. The caller sets the size. */
export const controlClass =
  'w-full rounded-md border border-control bg-raised text-base text-ink lining-nums placeholder:text-ink-faint ' +
  'hover:border-ink-soft focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent ' +
  'aria-invalid:border-danger aria-invalid:focus:border-danger aria-invalid:focus:outline-offset-2 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-faint ' +
  'read-only:bg-sunken transition-colors';
