/** Shown without script, in place of what needs the script. */
export function NeedsScript({ what, className }: { what: 'page' | 'form'; className?: string }) {
  return (
    <noscript>
      <p className={className}>
        {`This ${what} needs JavaScript. Turn it on in your browser’s settings, then reload the page.`}
      </p>
    </noscript>
  );
}
