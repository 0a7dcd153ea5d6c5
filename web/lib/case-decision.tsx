import { type Ref, useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
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

/** Props of the component in which a case is decided. */
export interface Decided {
  caseId: string;
  /** The part of the page with the decision. */
  decision: Ref<HTMLDivElement>;
  /** Called with what was decided, and whether the case's subject has a page where it can be undone. */
  onDecided: (done: string, canUndo?: boolean) => void;
}

/** The same where there may be no case, and so none to close. */
export type DecidedAnywhere = Pick<Decided, 'onDecided'> & {
  [Name in 'caseId' | 'decision']?: Decided[Name] | undefined;
};

/**
 * Whether the server rejected a decision because its subject has changed since the page loaded it.
 */
export const hasChanged = (error: ApiError | null): boolean =>
  textMember(error?.response?.body, 'code') === 'changed_meanwhile';

/**
 * Returns an `onError` for decisions, which reloads the data of the page and keeps what was typed.
 */
export function useReread(): (error: ApiError) => void {
  const { revalidate } = useRevalidator();
  return (error) => {
    if (hasChanged(error)) void revalidate();
  };
}
