/** The only entrance to webhooks: messages to organisers' systems, signed, in order and retried. */
export { hookMessages } from './messages.ts';
export { sweepDeliveries } from './send.ts';
export { startHooks } from './start.ts';
