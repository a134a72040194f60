/**
 * Password hashes: Argon2id with 19 MiB and two passes, by Node's own implementation, written in the PHC
 * string form so that the parameters can change without a migration. At most four are computed at once.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** KiB, passes, lanes. */
const COST = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const AT_ONCE = 4;
/** Some 10 s of work; who comes later is told to come again. */
const LONGEST_QUEUE = 400;

/** Thrown when too many passwords are being checked already. Maps to 503 `BUSY`. */
export class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords';
  readonly code = 'BUSY';
  readonly retryAfter = 2;
}

const computeArgon2 = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

let running = 0;
const queue: (() => void)[] = [];

/** Runs at most so many at once: each takes 19 MiB and a thread of the pool that files and DNS use too. */
const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (running >= AT_ONCE) {
    if (queue.length >= LONGEST_QUEUE) throw new TooManyPasswords('too many passwords wait to be checked');
    await new Promise<void>((resolve) => queue.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = queue.shift();
    // The turn passes on, or ends.
    if (next) next();
    else running -= 1;
  }
};

interface Parsed {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

const parse = (hash: string): Parsed => {
  const match = PHC.exec(hash);
  if (!match?.[4] || !match[5]) throw new Error('a stored password hash is not an Argon2id PHC string');
  const [, memory, passes, parallelism, salt, tag] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
};

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** A password's hash, with a salt of its own. @throws TooManyPasswords */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(SALT_BYTES);
  const { memory, passes, parallelism } = COST;
  const tag = await inTurn(() =>
    computeArgon2('argon2id', {
      message: password,
      nonce,
      memory,
      passes,
      parallelism,
      tagLength: TAG_BYTES,
    }),
  );
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
};

/** Whether a password fits a hash. Takes as long for a wrong one. @throws TooManyPasswords */
export const isPassword = async (password: string, hash: string): Promise<boolean> => {
  const { memory, passes, parallelism, salt, tag } = parse(hash);
  const computed = await inTurn(() =>
    computeArgon2('argon2id', {
      message: password,
      nonce: salt,
      memory,
      passes,
      parallelism,
      tagLength: tag.length,
    }),
  );
  return timingSafeEqual(computed, tag);
};

/** Whether a hash was made with weaker parameters than today's. */
export const isOutdated = (hash: string): boolean => {
  const { memory, passes } = parse(hash);
  return memory < COST.memory || passes < COST.passes;
};
