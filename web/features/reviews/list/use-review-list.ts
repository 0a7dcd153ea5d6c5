import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { api } from '#web/lib/session.ts';
import type { Filters } from './filters.ts';
import { keepShown, keptList, noteShown } from './kept-lists.ts';
import { createReviewList, type ListStart, type ReviewList } from './review-list.ts';

/** The list of this history entry: the one that was left here, or a new one. */
export function useReviewList(start: ListStart) {
  const { key } = useLocation();
  const navigate = useNavigate();
  const [held, hold] = useState(() => ({ start, list: listOf(start, key) }));
  // Another address was asked for, by a link or by going back.
  if (held.start !== start) hold({ start, list: listOf(start, key) });
  const { list } = held;
  const entry = useRef(key);

  useLayoutEffect(() => {
    const hide = list.show((filters: Filters) => {
      void navigate(paths.reviews(filters), { replace: true, preventScrollReset: true });
    });
    noteShown(list);
    return () => {
      hide();
      keepShown(entry.current, list);
    };
  }, [list, navigate]);

  // After the one above, whose end still belongs to the entry before.
  useLayoutEffect(() => {
    entry.current = key;
  }, [key]);

  const state = useSyncExternalStore(list.subscribe, list.get, list.get);
  return { list, state };
}

const listOf = (start: ListStart, key: string): ReviewList =>
  keptList(key) ?? createReviewList(start, api.get);
