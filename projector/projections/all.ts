import type { DeclaredProjection, Projection } from '#projector/engine/projection.ts';
import versions from '#versions.json' with { type: 'json' };
import { accounts } from './accounts.ts';
import { admissions } from './admissions.ts';
import { audit } from './audit.ts';
import { bookings } from './bookings.ts';
import { catalogue } from './catalogue.ts';
import { disputes } from './disputes.ts';
import { documents } from './documents.ts';
import { emailTemplates } from './email-templates.ts';
import { images } from './images.ts';
import { newsletter } from './newsletter.ts';
import { promotions } from './promotions.ts';
import { refunds } from './refunds.ts';
import { settings } from './settings.ts';
import { waiters } from './waiters.ts';
import { hooks } from './webhooks.ts';

const declared: readonly DeclaredProjection[] = [
  catalogue,
  bookings,
  accounts,
  refunds,
  disputes,
  waiters,
  promotions,
  admissions,
  settings,
  newsletter,
  images,
  emailTemplates,
  hooks,
  documents,
  audit,
];

const byName: Readonly<Record<string, { readonly version: number }>> = versions.projections;

/** One shared checkpoint, so that joined rows are consistent. */
export const projections: readonly (Projection & DeclaredProjection)[] = declared.map((projection) => ({
  ...projection,
  version: byName[projection.name]?.version ?? 0,
}));
