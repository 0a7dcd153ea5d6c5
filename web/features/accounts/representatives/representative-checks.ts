import { zodResolver } from '@hookform/resolvers/zod';
import * as z from 'zod/mini';
import { RepresentativeDetails } from '#contract/representatives.ts';

/** Loaded by `lazyChecks`. */
export const checkDetails = zodResolver(z.omit(RepresentativeDetails, { employer: true }));
