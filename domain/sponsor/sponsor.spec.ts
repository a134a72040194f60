import { describe, expect, it } from 'vitest';
import { given } from '#tests/kit/given-when-then.ts';
import type { SponsorEvent, SponsorFacts } from './events.ts';
import { sponsor } from './sponsor.ts';

const brewery: SponsorFacts = {
  name: 'Tide Brewery',
  link: 'https://tide.example/',
  logo: '/images/0123456789abcdef01234567-123a5a-320x80.webp',
  order: 1,
};
const added: SponsorEvent = { type: 'SponsorAdded', data: brewery };
const removed: SponsorEvent = { type: 'SponsorRemoved', data: {} };

describe('a sponsor', () => {
  it('is added once', () => {
    given(sponsor, [])
      .when({ type: 'AddSponsor', ...brewery })
      .then([added]);
    given(sponsor, [added])
      .when({ type: 'AddSponsor', ...brewery })
      .thenNothing();
  });

  it('is edited if something differs', () => {
    const moved = { ...brewery, order: 3 };
    given(sponsor, [added])
      .when({ type: 'EditSponsor', ...moved })
      .then([{ type: 'SponsorEdited', data: moved }]);
    given(sponsor, [added])
      .when({ type: 'EditSponsor', ...brewery })
      .thenNothing();
  });

  it('is removed once, and not edited after that', () => {
    given(sponsor, [added]).when({ type: 'RemoveSponsor' }).then([removed]);
    given(sponsor, [added, removed]).when({ type: 'RemoveSponsor' }).thenRejected('NOT_FOUND');
    given(sponsor, [added, removed])
      .when({ type: 'EditSponsor', ...brewery })
      .thenRejected('NOT_FOUND');
    given(sponsor, [])
      .when({ type: 'EditSponsor', ...brewery })
      .thenRejected('NOT_FOUND');
  });

  it('keeps its logo’s image stored', () => {
    expect(sponsor.document?.images(brewery)).toEqual([brewery.logo]);
  });
});
