import { NAMED_MAX } from '#server/db/statements.ts';

/** A run of the fuzzer. The same seed generates the same requests. */
export const FUZZ = {
  requests: Number(process.env['FUZZ_REQUESTS'] ?? 20_000),
  seed: Number(process.env['FUZZ_SEED'] ?? 1),
};

/** The longest allowed turn of the event loop. */
export const STALL_MS = 200;

/** The maximum number of distinct SQL texts of all requests: as many as may be named. */
export const MAX_SQL_TEXTS = NAMED_MAX;

/** Allowed growth between the first quarter of a run and its end. */
export const MAX_HEAP_GROWTH_MB = 16;
export const MAX_BACKEND_GROWTH_MB = 8;
