/** The name on a curb: a thick line over a thin one. */
export function Wordmark() {
  return (
    <span className="inline-flex flex-col font-display text-[1.75rem] leading-none tracking-[-0.012em]">
      Curbside
      <span aria-hidden className="mt-1 h-1 border-t-2 border-b border-accent" />
    </span>
  );
}
