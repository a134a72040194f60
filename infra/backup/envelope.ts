/** How the files of a backup are written and read: as they are, or encrypted with age (age-encryption.org). */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { CannotStart } from '#infra/lib/cannot-start.ts';

/** The end of an encrypted file's name, as age has it. */
const ENCRYPTED = '.age';

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Writes files for whoever has the identity of one of the recipients; as they are, without any. */
export interface Sealer {
  /** Writes a new file that only its owner can read, and resolves to the SHA-256 of what stands in it. */
  write(file: string, content: Readable): Promise<string>;
}

/** @param recipients public keys, `age1…` @throws CannotStart for one that is none */
export const sealerFor = (recipients: readonly string[]): Sealer => {
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      throw new CannotStart(`“${recipient}” is no recipient of age: those begin with age1.`, { cause });
    }
  return {
    async write(file, content) {
      const hash = createHash('sha256');
      const isSealed = recipients.length > 0;
      const stored = isSealed ? await encrypter.encrypt(Readable.toWeb(content) as Bytes) : content;
      await pipeline(
        stored,
        async function* (pieces: AsyncIterable<Uint8Array>) {
          for await (const piece of pieces) {
            hash.update(piece);
            yield piece;
          }
        },
        createWriteStream(isSealed ? file + ENCRYPTED : file, { flags: 'wx', mode: 0o600, flush: true }),
      );
      return hash.digest('hex');
    },
  };
};

/** Reads the files of a backup. */
export interface Opener {
  /** A file's name as it stands in the folder. */
  stored(file: string): string;
  /** What was written. @throws CannotStart where no identity fits, and while it is read where the file was changed */
  read(file: string): Promise<Readable>;
}

const identitiesIn = async (file: string): Promise<readonly string[]> => {
  const text = await readFile(file, 'utf8');
  return text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
};

/**
 * @param recipients for whom the backup was written; none, if it is not encrypted
 * @param identity a file of identities as `age-keygen` writes it
 * @throws CannotStart where the identity is missing, or is none
 */
export const openerFor = async (
  recipients: readonly string[],
  identity: string | undefined,
): Promise<Opener> => {
  if (recipients.length === 0)
    return { stored: (file) => file, read: async (file) => createReadStream(file) };
  const wanted = `The backup is encrypted for ${recipients.join(', ')}`;
  if (identity === undefined) throw new CannotStart(`${wanted}: say with --identity where its key is.`);
  const decrypter = new Decrypter();
  for (const one of await identitiesIn(identity))
    try {
      decrypter.addIdentity(one);
    } catch (cause) {
      throw new CannotStart(`${identity} is no identity of age.`, { cause });
    }
  const stored = (file: string): string => file + ENCRYPTED;
  const piecesOf = async function* (opened: Bytes, file: string) {
    try {
      yield* opened;
    } catch (cause) {
      throw new CannotStart(`${stored(file)} is not as the backup wrote it.`, { cause });
    }
  };
  return {
    stored,
    async read(file) {
      const sealed = Readable.toWeb(createReadStream(stored(file))) as Bytes;
      const opened = await decrypter.decrypt(sealed).catch((cause: unknown) => {
        throw new CannotStart(`${wanted}, and ${identity} does not open it.`, { cause });
      });
      return Readable.from(piecesOf(opened as Bytes, file), { objectMode: false });
    },
  };
};
