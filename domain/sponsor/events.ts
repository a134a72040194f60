import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

/** A sponsor, as the site's footer shows it. */
export interface SponsorFacts {
  readonly name: string;
  /** An `http` or `https` address. */
  readonly link: string;
  /** The path of a stored image. */
  readonly logo: string;
  /** The lowest comes first. */
  readonly order: number;
}

/** The events of `sponsor-{id}`. */
export const sponsorEvents = {
  SponsorAdded: defineEvent<SponsorFacts>()({ audit: ['create', 'sponsor', 'Added'], work: false }),
  SponsorEdited: defineEvent<SponsorFacts>()({ audit: ['update', 'sponsor', 'Edited'], work: false }),
  SponsorRemoved: defineEvent<object>()({ audit: ['delete', 'sponsor', 'Deleted'], work: false }),
};
export type SponsorEvent = EventOf<typeof sponsorEvents>;
