/** PHC strings include the parameters, so these can change without a migration. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Turns } from '#infra/lib/turns.ts';

const COST = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const LONGEST_QUEUE = 400;

/** HTTP 503 `BUSY`; `retryAfter` in seconds. */
export class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  readonly code = 'BUSY';
  readonly retryAfter = 2;
}

const computeArgon2 = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

/** Each hash takes 19 MiB and a thread of the pool shared with file and DNS operations. */
const turns = new Turns(4);

const compute = async (message: string, nonce: Buffer, cost: typeof COST, tagLength: number) => {
  if (turns.waiting >= LONGEST_QUEUE) throw new TooManyPasswords('too many passwords wait to be checked');
  return turns.take(() => computeArgon2('argon2id', { message, nonce, ...cost, tagLength }));
};

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

const parse = (hash: string) => {
  const match = PHC.exec(hash);
  if (!match?.[4] || !match[5]) throw new Error('a stored password hash is not an Argon2id PHC string');
  const [, memory, passes, parallelism, salt, tag] = match;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
};

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const write = (salt: Buffer, tag: Buffer): string => {
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
};

/** @throws TooManyPasswords */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  return write(salt, await compute(password, salt, COST, TAG_BYTES));
};

/** Matches no password, and takes as long to check as any other hash. */
export const NOBODYS_HASH = write(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));

/**
 * Constant time.
 * @throws TooManyPasswords
 */
export const isPassword = async (password: string, hash: string): Promise<boolean> => {
  const { cost, salt, tag } = parse(hash);
  return timingSafeEqual(await compute(password, salt, cost, tag.length), tag);
};

export const isOutdated = (hash: string): boolean => {
  const { cost } = parse(hash);
  return cost.memory < COST.memory || cost.passes < COST.passes;
};
