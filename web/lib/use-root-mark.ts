import { useEffect } from 'react';

/**
 * Sets a data attribute of the document while it is mounted, for styles that depend on what is on the
 * page. Browsers before 2024 have no `:has()`.
 */
export function useRootMark(name: string, value: string | undefined): void {
  useEffect(() => {
    if (value === undefined) return;
    const { dataset } = document.documentElement;
    dataset[name] = value;
    return () => {
      delete dataset[name];
    };
  }, [name, value]);
}
