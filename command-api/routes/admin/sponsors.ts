import { pathAt } from '#command-api/catalogue/images.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { crudOn } from '#command-api/routes/change.ts';
import { adminSponsorCalls } from '#domain/contracts/sponsors.ts';
import { badInput } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import type { SponsorFacts } from '#domain/sponsor/events.ts';
import { sponsor, toAdminSponsor } from '#domain/sponsor/sponsor.ts';
import type { App } from '#infra/http/server.ts';
import type { ImageStore } from '#infra/images/image-store.ts';

export const adminSponsorRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies' | 'config'> & {
    readonly images: ImageStore;
  },
): void => {
  const save = async (
    type: 'AddSponsor' | 'EditSponsor',
    id: string,
    { name, link, logo, order }: SponsorFacts,
    acting: ActingHandler,
  ): Promise<void> => {
    const path = await pathAt(logo, deps);
    if (!path) throw refusalOf(badInput({ logo: 'Please upload the logo, or choose it from the gallery' }));
    await acting.do(sponsor, id, { type, name, link, logo: path, order });
  };

  crudOn(app, deps)(adminSponsorCalls, {
    newId: () => deps.ids.uuid(),
    create: (id, body, acting) => save('AddSponsor', id, body, acting),
    edit: (id, body, acting) => save('EditSponsor', id, body, acting),
    remove: (id, acting) => acting.do(sponsor, id, { type: 'RemoveSponsor' }),
    async answer(id, acting) {
      const { state } = await acting.state(sponsor, id);
      if (!state) throw new Refusal('NOT_FOUND');
      return toAdminSponsor(id, state, deps.config.baseUrl);
    },
    removed: () => 'Sponsor deleted',
  });
};
