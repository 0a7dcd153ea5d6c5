import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { explainFileError, OperatorError } from '#server/errors/operator-error.ts';

/** A new key pair in the format of age-keygen. */
export async function newIdentity(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/**
 * Encrypts streams with age (age-encryption.org/v1), in chunks of 64 KiB. Throws OperatorError for
 * an invalid recipient.
 */
export function encryptionFor(recipient: string): (source: Readable) => Promise<Readable> {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new OperatorError('the recipient is not an age recipient: it must begin with age1');
  }
  return async (source) => nodeStream(await encrypter.encrypt(webStream(source)));
}

/**
 * Decrypts streams with the identities in a file from age-keygen. Throws OperatorError for a file
 * without an identity. Decrypting throws what age reports.
 */
export async function decryptionWith(
  identityFile: string,
): Promise<(source: Readable) => Promise<Readable>> {
  const decrypter = new Decrypter();
  for (const identity of await identitiesIn(identityFile)) {
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new OperatorError(`${identityFile} has an incomplete identity: copy it again`);
    }
  }
  return async (source) => nodeStream(await decrypter.decrypt(webStream(source)));
}

async function identitiesIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw explainFileError(file, error);
  });
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0) {
    throw new OperatorError(`${file} has no identity, a line that begins with AGE-SECRET-KEY-`);
  }
  return identities;
}

type WebStream = ReadableStream<Uint8Array>;
const webStream = (stream: Readable) => Readable.toWeb(stream) as unknown as WebStream;
const nodeStream = (stream: WebStream) => Readable.fromWeb(stream as never);
