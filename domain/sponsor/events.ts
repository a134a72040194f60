import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export interface SponsorFacts {
  readonly name: string;
  readonly link: string;
  readonly logo: string;
  readonly order: number;
}

export const sponsorEvents = {
  SponsorAdded: defineEvent<SponsorFacts>()({ audit: ['create', 'sponsor', 'Added'], work: false }),
  SponsorEdited: defineEvent<SponsorFacts>()({ audit: ['update', 'sponsor', 'Edited'], work: false }),
  SponsorRemoved: defineEvent<object>()({ audit: ['delete', 'sponsor', 'Deleted'], work: false }),
};
export type SponsorEvent = EventOf<typeof sponsorEvents>;
