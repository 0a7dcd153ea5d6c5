import { get } from '../endpoint.ts';
import { Transparency } from '../office/transparency.ts';

export const transparencyEndpoints = {
  read: get('/transparency/', 'public', { answers: { 200: Transparency } }),
};
