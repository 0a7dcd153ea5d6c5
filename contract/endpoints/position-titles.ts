import { get } from '../endpoint.ts';
import { PositionTitlePage, PositionTitleQuery } from '../review-position-titles.ts';

/** The position titles that a form suggests. */
export const positionTitleEndpoints = {
  list: get('/position-titles/', 'public', {
    query: PositionTitleQuery,
    answers: { 200: PositionTitlePage },
  }),
};
