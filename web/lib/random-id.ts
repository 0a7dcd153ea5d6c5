/** 128 random bits in hexadecimal. `crypto.randomUUID` exists only on https and localhost. */
export const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) =>
    word.toString(16).padStart(8, '0'),
  ).join('');
