import * as z from 'zod/mini';
import { RepresentativeDetails } from '#contract/replies/representatives.ts';

/** Loaded once the form is entered. */
export const checkDetails = z.omit(RepresentativeDetails, { employer: true });
