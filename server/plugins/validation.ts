import type { FastifySchemaCompiler } from 'fastify';
import * as z from 'zod/mini';
import { AppError, type FieldErrors } from '#server/app-error.ts';

/** Holds input to the contract's schema. Refuses with every field at fault. */
export const validatorCompiler: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const unstorable = fieldsWithNul(input);
    if (unstorable) return { error: new AppError('validation_error', { fields: unstorable }) };
    const parsed = z.safeParse(schema, input);
    if (parsed.success) return { value: parsed.data };
    const fields = fieldErrors(parsed.error.issues);
    return { error: new AppError('validation_error', { fields }) };
  };

/** PostgreSQL has no way to store or compare a NUL (its manual, section 8.3): nobody types one. */
function fieldsWithNul(input: unknown): FieldErrors | null {
  if (typeof input !== 'object' || input === null) return null;
  const fields = Object.entries(input).filter(([name, value]) =>
    [name, value].some((text) => typeof text === 'string' && text.includes('\0')),
  );
  if (fields.length === 0) return null;
  return Object.fromEntries(fields.map(([name]) => [name, ['Must not contain a NUL character']]));
}

/** Field -> messages in the order of the checks. Unknown fields are faults under their name. */
function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  // Bare: a caller may name a field `toString`, which every other object has.
  const fields: FieldErrors = Object.create(null);
  for (const issue of issues) {
    const at = issue.path.map(String);
    const faults =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [[...at, key], 'Unknown field'] as const)
        : [[at, issue.message] as const];
    for (const [path, message] of faults) {
      const field = path.join('.') || 'body';
      fields[field] ??= [];
      fields[field].push(message);
    }
  }
  return fields;
}
