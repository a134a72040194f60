/** The only entrance to what sends webhooks: addresses that may be called, posts, secrets and signatures. */
export { obstacleTo, type Posted, post } from './post.ts';
export { createWebhookSecrets, type WebhookSecrets } from './secrets.ts';
export { signedHeaders } from './sign.ts';
