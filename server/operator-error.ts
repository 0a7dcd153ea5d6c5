/** A fault that a person can mend: its message is told as it is, in a line each, without a stack. */
export class PlainFault extends Error {}
