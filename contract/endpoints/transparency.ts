import { get } from '../endpoint.ts';
import { Transparency } from '../transparency.ts';

export const transparencyEndpoints = {
  read: get('/transparency/', 'public', { answers: { 200: Transparency } }),
};
