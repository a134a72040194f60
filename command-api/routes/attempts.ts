import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { addressKey } from '#domain/email-claim/email-claim.ts';
import { countAddress, countedAddress, countedLine, uncountAddress } from '#infra/http/counted-address.ts';

type Deps = Pick<CommandDeps, 'limits' | 'devices'>;

type Attempt = 'sign-in' | 'reset';

const triesOf = (request: FastifyRequest, { devices }: Pick<Deps, 'devices'>, email: string) => {
  const account = addressKey(email);
  const device = devices.find(request.server.siteCookies.device(request), email);
  const from = countedLine(request.ip) ?? countedAddress(request.ip);
  return device === undefined
    ? { address: request.ip, one: `${account} ${from}`, all: account }
    : { address: undefined, one: `${account} ${device}`, all: `${account} known devices` };
};

/**
 * Devices that have signed in before have their own count, so that strangers can't use up the owner's
 * attempts. Others count per address and, with a far higher limit, all together.
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
  // First: attempts refused here must not count for the account, or one address could lock it.
  await limits.take(what, one);
  await limits.take(`${what}-account`, all);
};

export const uncountSignIn = async (deps: Deps, request: FastifyRequest, email: string): Promise<void> => {
  const { limits } = deps;
  const { address, one, all } = triesOf(request, deps, email);
  if (address !== undefined) await uncountAddress(limits, 'sign-in-address', address);
  await limits.forgive('sign-in', one);
  await limits.giveBack('sign-in-account', all);
};

export const forgiveAccount = async (deps: Deps, request: FastifyRequest, email: string): Promise<void> => {
  const { limits } = deps;
  const { one, all } = triesOf(request, deps, email);
  await limits.forgive('sign-in', one);
  await limits.forgive('sign-in-account', all);
};

export const rememberDevice = (
  request: FastifyRequest,
  reply: FastifyReply,
  { devices }: Pick<CommandDeps, 'devices'>,
  email: string,
): void => {
  const { siteCookies } = request.server;
  siteCookies.keepDevice(reply, devices.remember(siteCookies.device(request), email));
};
