import { InvalidArgumentError } from 'commander';

/** A text that has to say something. */
export function readText(given: string): string {
  const text = given.trim();
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}
