import { InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';
import { AppError } from '#server/errors/app-error.ts';
import { OperatorError } from '#server/errors/operator-error.ts';

/** Parses a text argument, which must not be empty. */
export function readText(given: string): string {
  const text = given.trim();
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Parses a value with a schema. @throws OperatorError with one line per problem */
export function parse<T extends z.core.$ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new OperatorError(parsed.error.issues.map(({ message }) => message).join('\n'));
}

/** Rethrows an API error as one line for the terminal. `what` names what was not found. */
export const explainFor =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    throw new OperatorError(code === 'not_found' ? `there is no such ${what}` : message);
  };
