import { get } from '../endpoint.ts';
import { SuggestionQuery, Suggestions } from '../reviews/suggestions.ts';

/** What the search boxes suggest. */
export const suggestionEndpoints = {
  list: get('/suggestions/', 'public', {
    query: SuggestionQuery,
    answers: { 200: Suggestions },
  }),
};
