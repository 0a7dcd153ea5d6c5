import { Search } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';

/** Submits the form of a search box. On a phone, an icon alone. */
export function SearchSubmit() {
  return (
    <Button type="submit" variant="secondary" className="min-h-12 grow max-sm:px-4">
      <Search aria-hidden className="size-4" />
      <span className="max-sm:sr-only">Search</span>
    </Button>
  );
}
