/** 128 random bits. `crypto.randomUUID` exists only on https and localhost. */
export const randomId = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
