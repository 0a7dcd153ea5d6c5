/** The label of a figure: small on a phone, where figures stand side by side. */
export const LABEL = 'text-sm leading-tight text-ink-faint md:text-base md:label-caps';
