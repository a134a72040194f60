/** All projections. They share one checkpoint, so that rows which a query joins are always from the same moment. */
import type { Projection } from '#projector/engine/projection.ts';
import { accounts } from './accounts.ts';
import { admissions } from './admissions.ts';
import { audit } from './audit.ts';
import { bookings } from './bookings.ts';
import { catalogue } from './catalogue.ts';
import { disputes } from './disputes.ts';
import { emailTemplates } from './email-templates.ts';
import { hooks } from './hooks.ts';
import { images } from './images.ts';
import { newsletter } from './newsletter.ts';
import { promotions } from './promotions.ts';
import { refunds } from './refunds.ts';
import { settings } from './settings.ts';
import { waiters } from './waiters.ts';

export const projections: readonly Projection[] = [
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
  audit,
];
