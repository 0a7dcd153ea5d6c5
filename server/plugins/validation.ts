import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import { parseInput } from '#contract/paging.ts';
import { AppError, type FieldErrors } from '#server/errors/app-error.ts';

/** What a value of the wrong type must be, by its type in the schema. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  file: 'a file',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'text',
};

function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return `Must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `Must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'uuid') return 'Must be an id';
  return 'Is not valid';
}

/** What is wrong, for fields whose schema does not say so itself. */
export const WORDS = { error: messageOf };

/** Validates input with the contract's schemas, and reports every invalid field. */
export function validation(app: FastifyInstance) {
  app.setValidatorCompiler<z.core.$ZodType>(({ schema }) => (input: unknown) => {
    const parsed = parseInput(schema, input, WORDS);
    const fields = unstorableFields(input) ?? fieldErrors(parsed.error?.issues ?? []);
    if (!parsed.success || Object.keys(fields).length > 0) {
      return { error: new AppError('validation_error', { fields }) };
    }
    return { value: parsed.data };
  });
}

/** An error for text that PostgreSQL cannot store as UTF-8 (its manual, section 8.3). */
function unstorable(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  if (text.includes('\0')) return 'Must not contain a NUL character';
  return text.isWellFormed() ? null : 'Must not contain half a character';
}

function unstorableFields(input: unknown): FieldErrors | null {
  if (typeof input !== 'object' || input === null) return null;
  const errors = Object.entries(input).flatMap(([name, value]): [string, string[]][] => {
    const error = unstorable(name) ?? unstorable(value);
    return error ? [[name, [error]]] : [];
  });
  return errors.length > 0 ? Object.fromEntries(errors) : null;
}

/** Messages by field, in the order of the checks, without duplicates. */
function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  // No prototype, so that a field named `toString` works.
  const fields: FieldErrors = Object.create(null);
  for (const issue of issues) {
    const at = issue.path.map(String);
    const errors =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [[...at, key], 'Unknown field'] as const)
        : [[at, issue.message] as const];
    for (const [path, message] of errors) {
      const field = path.join('.') || 'body';
      const messages = fields[field] ?? [];
      fields[field] = messages.includes(message) ? messages : [...messages, message];
    }
  }
  return fields;
}
