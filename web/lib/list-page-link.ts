/** What a link carries along that leads to another page of the same list, to be read from its top. */
export interface Turn {
  isOtherPage: true;
}

/** Whether the state of a location is such. */
export const isTurn = (state: unknown): boolean =>
  (state as Partial<Turn> | null)?.isOtherPage === true;
