interface Refusal {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** Why a schema refuses a form, by the name of the field. Nothing without an error. */
export const messagesByField = (error: Refusal | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
