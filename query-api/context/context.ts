import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { StripeConfig } from '#domain/contracts/site.ts';
import type { Config } from '#infra/config/config.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import type { Visibility } from '#infra/http/position.ts';
import type { SessionEndings } from '#infra/http/session-endings.ts';
import type { Sessions } from '#infra/http/sessions.ts';
import type { ImageStore } from '#infra/images/image-store.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import type { Clock } from '#infra/lib/clock.ts';
import type { UnsubscribeLinks } from '#infra/mail/unsubscribe-links.ts';
import type { Metrics } from '#infra/observability/metrics.ts';
import type { CheckpointSigner } from '#infra/proof/proof.ts';
import type { ReadProgress } from '#infra/read-models/progress.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import type { TicketPrinter } from '#infra/tickets/printer.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';
import type { Live } from '#query-api/live/live.ts';

export interface QueryDeps {
  readonly config: Pick<Config, 'baseUrl' | 'databaseUrl' | 'production' | 'secondFactorRequired' | 'mail'>;
  readonly payments: StripeConfig;
  readonly clock: Clock;
  readonly db: Kysely<ReadModels>;
  readonly pool: Pool;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly keys: KeyStore;
  readonly progress: ReadProgress;
  readonly sessions: Pick<Sessions, 'find' | 'list'>;
  readonly endings: SessionEndings;
  readonly images: ImageStore;
  readonly signer: TicketSigner;
  readonly checkpointSigner: Pick<CheckpointSigner, 'publicKeys'>;
  readonly printer: TicketPrinter;
  readonly unsubscribeLinks: UnsubscribeLinks;
  readonly metrics: Pick<Metrics, 'watch'>;
}

export interface QueryContext extends QueryDeps {
  readonly live: Live;
  readonly visibility: Visibility;
}
