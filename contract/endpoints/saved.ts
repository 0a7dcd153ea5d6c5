import { get, post } from '../endpoint.ts';
import { Message } from '../problem.ts';
import * as saved from '../saved/saved.ts';

/** Saved employers and searches, and the weekly mail about them. */
export const savedEndpoints = {
  list: get('/saved/', 'signed-in', { answers: { 200: saved.SavedList } }),
  save: post('/saved/', 'signed-in', {
    body: saved.SavedEntriesRequest,
    answers: { 200: saved.SavedList },
    errors: [409],
  }),
  remove: post('/saved/remove/', 'signed-in', {
    body: saved.SavedRemovalRequest,
    answers: { 200: saved.SavedList },
  }),
  weeklyMail: post('/saved/weekly-mail/', 'signed-in', {
    body: saved.WeeklyMailRequest,
    answers: { 200: saved.SavedList },
  }),
  /** For members and visitors alike: it does not check who calls. */
  employers: post('/saved/employers/', 'public', {
    body: saved.SavedEmployersRequest,
    answers: { 200: saved.SavedEmployers },
  }),
  unsubscribe: post('/saved/unsubscribe/', 'public', {
    body: saved.UnsubscribeRequest,
    answers: { 200: Message },
  }),
};
