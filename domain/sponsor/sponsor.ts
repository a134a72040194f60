import { type Aggregate, reject } from '#domain/kernel/decider.ts';
import { revised } from '#domain/kernel/revision.ts';
import type { SponsorEvent, SponsorFacts } from './events.ts';

export type SponsorCommand =
  | ({ readonly type: 'AddSponsor' | 'EditSponsor' } & SponsorFacts)
  | { readonly type: 'RemoveSponsor' };

export const sponsor: Aggregate<SponsorFacts | null, SponsorCommand, SponsorEvent> = {
  name: 'sponsor',
  document: { images: ({ logo }) => [logo] },
  shown: (state) => ({ ...state }),
  initial: null,
  evolve: (_, event) => (event.type === 'SponsorRemoved' ? null : event.data),
  decide(state, command) {
    if (command.type === 'RemoveSponsor')
      return state ? [{ type: 'SponsorRemoved', data: {} }] : reject('NOT_FOUND');
    const { type, ...data } = command;
    if (type === 'AddSponsor') return state ? [] : [{ type: 'SponsorAdded', data }];
    if (!state) return reject('NOT_FOUND');
    const isSame = (Object.keys(data) as (keyof SponsorFacts)[]).every((name) => data[name] === state[name]);
    return isSame ? [] : [{ type: 'SponsorEdited', data }];
  },
};

export const toAdminSponsor = (id: string, { name, link, logo, order }: SponsorFacts, baseUrl: string) => ({
  ...revised(id, { name, link, logo, order }),
  logo: baseUrl + logo,
});
