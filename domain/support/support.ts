import type { Aggregate } from '#domain/kernel/decider.ts';
import type { SupportEvent } from './events.ts';

export interface SupportState {
  readonly message: Extract<SupportEvent, { type: 'SupportMessageReceived' }>['data'] | null;
}

export type SupportCommand = {
  readonly type: 'ReceiveMessage';
  readonly supportId: number;
  /** Null for signed-out visitors. */
  readonly accountId: string | null;
  readonly category: string;
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  readonly booking: string;
};

export const support: Aggregate<SupportState, SupportCommand, SupportEvent> = {
  name: 'support',
  initial: { message: null },
  evolve: (_, { data }) => ({ message: data }),
  decide: (state, { type: _, ...data }) => (state.message ? [] : [{ type: 'SupportMessageReceived', data }]),
};
