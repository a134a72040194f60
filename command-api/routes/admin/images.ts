import { nameOf, storedPath, storeImage, uploadOf } from '#command-api/catalogue/images.ts';
import { changeSetting } from '#command-api/catalogue/settings.ts';
import { caughtUp, usesOf } from '#command-api/catalogue/uses.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { toAdminImage } from '#domain/answers/content.ts';
import { LARGEST_UPLOAD } from '#domain/answers/picture.ts';
import { image } from '#domain/content/image.ts';
import type { SiteKey } from '#domain/content/site-defaults.ts';
import { adminImageCalls } from '#domain/contracts/admin-images.ts';
import type { App } from '#infra/http/server.ts';
import { installUploads } from '#infra/http/upload.ts';
import type { ImageStore } from '#infra/images/image-store.ts';

export const adminImageRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies' | 'database' | 'log' | 'config'> & {
    readonly images: ImageStore;
  },
): void => {
  const { images, database, log, config, ids } = deps;

  app.register(async (scope) => {
    installUploads(scope as App, LARGEST_UPLOAD);
    changesOn(scope as App, deps)(adminImageCalls.upload, async ({ body }, { acting }) => {
      const { file, use } = uploadOf(body);
      const stored = await storeImage(images, file);
      const facts = {
        imageId: await ids.next('image'),
        originalName: nameOf(file),
        use,
        ...stored,
      };
      await acting.do(image, facts.imageId, { type: 'AddImage', ...facts });
      return toAdminImage(facts, acting.context.at, config.baseUrl);
    });
  });

  const change = changesOn(app, deps);

  change(adminImageCalls.remove, async ({ params: { id } }, { acting }) => {
    const { facts } = (await acting.state(image, id)).state;
    await caughtUp(database, log.heard);
    const usedBy = facts ? await usesOf(database, ['image', facts.path]) : [];
    await acting.do(image, id, { type: 'RemoveImage', usedBy });
    return { message: 'Image deleted' };
  });

  const uses: readonly [typeof adminImageCalls.setLogo | typeof adminImageCalls.setHero, SiteKey, string][] =
    [
      [adminImageCalls.setLogo, 'site_logo_url', 'Logo set'],
      [adminImageCalls.setHero, 'hero_image_url', 'Hero image set'],
    ];
  for (const [declared, key, message] of uses)
    change(declared, async ({ params: { id }, body }, { acting }) => {
      const value = await storedPath({ id, url: body?.imageUrl || undefined }, { images, config }, acting);
      await changeSetting({ key, value, description: '', category: 'general' }, acting);
      return { message };
    });
};
