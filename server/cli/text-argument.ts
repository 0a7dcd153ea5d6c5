import { InvalidArgumentError } from 'commander';

/** Parses a text argument, which must not be empty. */
export function readText(given: string): string {
  const text = given.trim();
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}
