import type { FastifySchemaCompiler } from 'fastify';
import * as z from 'zod/mini';
import { AppError, type FieldErrors } from '#server/app-error.ts';

/** Holds input to the contract's schema. Refuses with every field at fault. */
export const validatorCompiler: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const refused = unstorableFields(input);
    if (refused) return { error: new AppError('validation_error', { fields: refused }) };
    const parsed = z.safeParse(schema, input);
    if (parsed.success) return { value: parsed.data };
    const fields = fieldErrors(parsed.error.issues);
    return { error: new AppError('validation_error', { fields }) };
  };

/** What PostgreSQL cannot store as UTF-8 text (its manual, section 8.3). Nobody types it. */
function unstorable(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  if (text.includes('\0')) return 'Must not contain a NUL character';
  return text.isWellFormed() ? null : 'Must not contain half a character';
}

function unstorableFields(input: unknown): FieldErrors | null {
  if (typeof input !== 'object' || input === null) return null;
  const faults = Object.entries(input).flatMap(([name, value]): [string, string[]][] => {
    const fault = unstorable(name) ?? unstorable(value);
    return fault ? [[name, [fault]]] : [];
  });
  return faults.length > 0 ? Object.fromEntries(faults) : null;
}

/**
 * Field -> messages in the order of the checks, each once: several checks may share a message.
 * Unknown fields are faults under their name.
 */
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
      const messages = fields[field] ?? [];
      fields[field] = messages.includes(message) ? messages : [...messages, message];
    }
  }
  return fields;
}
