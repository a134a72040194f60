/** The only entrance to webhooks. */
export { webhookMessages } from './messages.ts';
export { sweepDeliveries } from './send.ts';
export { startWebhooks } from './start.ts';
