import { useEffect, useState } from 'react';
import type { CaseKind } from '#contract/cases.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import type { CaseAct } from '#contract/office/case-queue.ts';
import { STAFF_ACTS } from '#contract/office/logged-acts.ts';
import { Banner } from '#web/ui/banner.tsx';
import { formatLongDate } from './format.ts';
import { api } from './session.ts';
import { type ApiError, orNull, textMember } from './transport-error.ts';

const TEXTS: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(STAFF_ACTS));

/** 'Removed a review · Ida Marsh · March 4, 2026'. */
export const actLine = ({ act, by, happened_on }: CaseAct) =>
  [TEXTS[act], by, formatLongDate(happened_on)].join(' · ');

/** The `failure` of a form with a decision. */
export const refused = (kind: CaseKind, subject: string) => (error: ApiError) => (
  <Refused error={error} kind={kind} subject={subject} />
);

interface RefusedProps {
  error: ApiError;
  kind: CaseKind;
  /** The id of what the case is about. */
  subject: string;
}

/** Why a decision was not made. If someone else was faster, who decided what, and when. */
export function Refused({ error, kind, subject }: RefusedProps) {
  const isLost = textMember(error.response?.body, 'code') === 'case_closed';
  const [acts, setActs] = useState<readonly CaseAct[]>([]);

  useEffect(() => {
    if (!isLost) return;
    let isShown = true;
    void orNull(api.call(caseEndpoints.history, { query: { kind, subject } })).then((found) => {
      if (isShown && found) setActs(found.acts);
    });
    return () => {
      isShown = false;
    };
  }, [isLost, kind, subject]);

  const [last] = acts;
  return (
    <Banner tone="error">
      <p>{error.message}</p>
      {acts
        .filter(({ happened_on }) => happened_on === last?.happened_on)
        .map((act, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an act has no id here
          <p key={place} className="mt-1 lining-nums">
            {actLine(act)}
          </p>
        ))}
    </Banner>
  );
}
