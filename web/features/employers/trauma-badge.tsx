import type { Employer } from '#contract/employers.ts';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';

type TraumaLevel = NonNullable<Employer['trauma_level']>;

/** The higher the level of care, the more ink. */
const TONES: Record<TraumaLevel, BadgeTone> = {
  'Level I': 'solid',
  'Level II': 'accent',
  'Level III': 'plain',
  'Level IV': 'faint',
  'Level V': 'faint',
};

export function TraumaBadge({ level }: { level: TraumaLevel }) {
  return <Badge tone={TONES[level]}>Trauma {level}</Badge>;
}
