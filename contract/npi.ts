/** Removes what is pasted along with an NPI: spaces, hyphens, and invisible characters. */
export const cleanNpi = (text: string) => text.replace(/[\s\p{Pd}\p{Cf}]/gu, '');
