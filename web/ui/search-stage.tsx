import type { ReactNode } from 'react';

interface SearchStageProps {
  boxId: string;
  children: ReactNode;
}

/**
 * The line with a search box. On a phone it fills the screen while its suggestions are open
 * (lists.css), so the box stays the same element, and the keyboard stays.
 */
export function SearchStage({ boxId, children }: SearchStageProps) {
  return (
    <div data-stage className="mt-1.5 flex flex-wrap gap-3">
      <button
        type="button"
        aria-label="Close search"
        className="hidden size-12 items-center justify-center rounded-md text-2xl"
        // Its focus has closed the suggestions already, unless it was pressed without.
        onClick={() => document.getElementById(boxId)?.blur()}
      >
        <span aria-hidden>←</span>
      </button>
      {children}
    </div>
  );
}
