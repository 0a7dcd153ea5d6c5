/** An error that the operator can fix. The terminal shows its message, and no stack trace. */
export class OperatorError extends Error {}
