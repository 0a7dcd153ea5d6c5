import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';

interface SearchLineProps {
  /** The id of the box. */
  id: string;
  /** Shown above the box. */
  label: string;
  /** The box. */
  children: ReactNode;
  isShort?: boolean | undefined;
}

/**
 * A search box under its label, with the button that submits its form. On a phone, and if it is
 * short, the button is only an icon.
 */
export function SearchLine({ id, label, children, isShort = false }: SearchLineProps) {
  return (
    <>
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      {/* With large text, the button fills its own line. */}
      <div className="stage mt-1.5 flex flex-wrap gap-3">
        <div className="min-w-0 flex-[999_1_11rem]">{children}</div>
        <Button
          type="submit"
          variant="secondary"
          className={cx('min-h-12 grow max-sm:px-4', isShort && 'lg:grow-0 lg:px-4')}
        >
          <Search aria-hidden className="size-4" />
          <span className={cx('max-sm:sr-only', isShort && 'lg:sr-only')}>Search</span>
        </Button>
      </div>
    </>
  );
}
