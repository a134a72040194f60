import { readdir } from 'node:fs/promises';
import type { Call } from '#domain/contracts/call.ts';

const CONTRACTS = new URL('../../domain/contracts/', import.meta.url);

const isCall = (value: object): value is Call =>
  'method' in value && 'path' in value && 'capability' in value;

/** Every call that a file of `domain/contracts` declares, by its name there: `bookingCalls.create`. */
export const declaredCalls = async (): Promise<ReadonlyMap<string, Call>> => {
  const calls = new Map<string, Call>();
  for (const file of await readdir(CONTRACTS)) {
    if (file.endsWith('.spec.ts')) continue;
    const contracts: Record<string, object> = await import(new URL(file, CONTRACTS).href);
    for (const [group, members] of Object.entries(contracts))
      for (const [name, member] of Object.entries(members))
        if (typeof member === 'object' && member !== null && isCall(member))
          calls.set(`${group}.${name}`, member);
  }
  return calls;
};
