/** The only entrance to webhooks. */
export { hookMessages } from './messages.ts';
export { sweepDeliveries } from './send.ts';
export { startHooks } from './start.ts';
