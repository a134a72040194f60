/** Counts attempts at accounts by people who may be strangers: passwords that are tried, and mails for a new one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { addressKey } from '#domain/email-claim/email-claim.ts';
import { countAddress, countedAddress, countedLine, uncountAddress } from '#infra/http/counted-address.ts';

type Deps = Pick<CommandDeps, 'limits' | 'devices'>;

/** What is tried. Each has limits of these names. */
type Attempt = 'sign-in' | 'reset';

/** Who tries: a device that has signed in to the account before, or anybody else at an address. `all` are those that count together. */
const triesOf = (request: FastifyRequest, { devices }: Pick<Deps, 'devices'>, email: string) => {
  const account = addressKey(email);
  const device = devices.find(request.server.siteCookies.device(request), email);
  const from = countedLine(request.ip) ?? countedAddress(request.ip);
  return device === undefined
    ? { address: request.ip, one: `${account} ${from}`, all: account }
    : { address: undefined, one: `${account} ${device}`, all: `${account} known devices` };
};

/**
 * Counts an attempt at the account of an address. A device that has signed in to the account before has a count of its own, so that
 * strangers don't use up its owner's attempts. Everybody else counts with their own address, in IPv6 with
 * their line's, and all of them together, far above that.
 * @throws Refusal TOO_MANY
 */
export const countAttempt = async (
  deps: Deps,
  what: Attempt,
  request: FastifyRequest,
  email: string,
): Promise<void> => {
  const { limits } = deps;
  const { address, one, all } = triesOf(request, deps, email);
  if (address !== undefined) await countAddress(limits, `${what}-address`, address);
  // What is refused here must not count for the whole account: one address could then lock it.
  await limits.take(what, one);
  await limits.take(`${what}-account`, all);
};

/** Uncounts a sign-in, since it succeeded. */
export const uncountSignIn = async (deps: Deps, request: FastifyRequest, email: string): Promise<void> => {
  const { limits } = deps;
  const { address, one, all } = triesOf(request, deps, email);
  if (address !== undefined) await uncountAddress(limits, 'sign-in-address', address);
  await limits.forgive('sign-in', one);
  await limits.giveBack('sign-in-account', all);
};

/** Forgets all wrong passwords of an account, since it has a new one; those from single addresses lapse by themselves. */
export const forgiveAccount = async (deps: Deps, request: FastifyRequest, email: string): Promise<void> => {
  const { limits } = deps;
  const { one, all } = triesOf(request, deps, email);
  await limits.forgive('sign-in', one);
  await limits.forgive('sign-in-account', all);
};

/** Remembers that the owner of an address uses this device: they have signed in there, or opened a link that was mailed to them. */
export const rememberDevice = (
  request: FastifyRequest,
  reply: FastifyReply,
  { devices }: Pick<CommandDeps, 'devices'>,
  email: string,
): void => {
  const { siteCookies } = request.server;
  siteCookies.keepDevice(reply, devices.remember(siteCookies.device(request), email));
};
