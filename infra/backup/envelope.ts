import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { CannotStart } from '#infra/lib/cannot-start.ts';

const ENCRYPTED = '.age';

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

export interface Sealer {
  /** Resolves to the file's SHA-256. */
  write(file: string, content: Readable): Promise<string>;
}

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

export interface Opener {
  stored(file: string): string;
  /** @throws CannotStart if no identity fits; the stream fails if the file was changed */
  read(file: string): Promise<Readable>;
}

const identitiesIn = async (file: string): Promise<readonly string[]> => {
  const text = await readFile(file, 'utf8');
  return text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
};

/**
 * @param identity an identity file of `age-keygen`
 * @throws CannotStart if it is needed and missing or invalid
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
