import { useState } from 'react';

/** What a field shows: what was last chosen in it, until `value`, which it mirrors, changes. */
export function useMirror(value: string): [string, (chosen: string) => void] {
  const [mirror, setMirror] = useState({ seen: value, shown: value });
  if (mirror.seen !== value) setMirror({ seen: value, shown: value });
  return [mirror.shown, (shown) => setMirror({ ...mirror, shown })];
}
