/** Navigation state of a link to another page of the same list: the new page is shown from its top. */
export interface OtherPageState {
  isOtherPage: true;
}

export const leadsToOtherPage = (state: unknown): boolean =>
  (state as Partial<OtherPageState> | null)?.isOtherPage === true;
