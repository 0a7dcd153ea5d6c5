import * as z from 'zod/mini';
import { listQuery, pageOf } from './paging.ts';

export const PositionTitle = z.strictObject({ id: z.int(), title: z.string() });
export type PositionTitle = z.infer<typeof PositionTitle>;

export const PositionTitleQuery = z.strictObject(listQuery);
export const PositionTitlePage = pageOf(PositionTitle);
