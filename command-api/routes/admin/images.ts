import { changeSetting } from '#command-api/catalogue/settings.ts';
import { usesOf } from '#command-api/catalogue/uses.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { toAdminImage } from '#domain/content/answer.ts';
import { image } from '#domain/content/image.ts';
import { adminImageCalls, uploadFields } from '#domain/contracts/admin-images.ts';
import { LONGEST } from '#domain/contracts/fields.ts';
import type { SiteKey } from '#domain/contracts/site.ts';
import { Refusal } from '#domain/refusal.ts';
import type { App } from '#infra/http/server.ts';
import { installUploads } from '#infra/http/upload.ts';
import { type ImageStore, LARGEST_UPLOAD, UnusableImage } from '#infra/images/image-store.ts';

const NO_FILE = 'Please choose a file';

/** A file's name as the gallery shows it: without folders and characters that can't be stored. */
const nameOf = (file: File): string =>
  file.name
    .replace(/^.*[\\/]/, '')
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(-LONGEST.title) || 'image';

/** Changes to the gallery by superusers. */
export const adminImageRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies' | 'database' | 'config'> & {
    readonly images: ImageStore;
  },
): void => {
  const { images, database, config, ids } = deps;

  app.register(async (scope) => {
    installUploads(scope as App, LARGEST_UPLOAD);
    changesOn(scope as App, deps)(adminImageCalls.upload, async ({ body }, { acting }) => {
      // A form is no form if the body was JSON, or missing.
      const file = body instanceof FormData ? body.get('image') : null;
      if (!(file instanceof File) || file.size === 0)
        throw new Refusal('BAD_INPUT', { fields: { image: NO_FILE }, errors: [NO_FILE] });
      const fields = uploadFields.safeParse({ type: body.get('type') ?? undefined });
      if (!fields.success) throw new Refusal('BAD_INPUT', { fields: { type: 'Not a type of image' } });
      const stored = await images.store(Buffer.from(await file.arrayBuffer())).catch((error: unknown) => {
        if (error instanceof UnusableImage)
          throw new Refusal('UNUSABLE_FILE', {}, { message: error.message, cause: error });
        throw error;
      });
      const facts = {
        imageId: await ids.next('image'),
        originalName: nameOf(file),
        use: fields.data.type,
        ...stored,
      };
      await acting.do(image, facts.imageId, { type: 'AddImage', ...facts });
      return toAdminImage(facts, acting.context.at, config.baseUrl);
    });
  });

  const change = changesOn(app, deps);

  change(adminImageCalls.remove, async ({ params: { id } }, { acting }) => {
    const { facts } = (await acting.state(image, id)).state;
    const usedBy = facts ? await usesOf(database, 'image', facts.path) : [];
    await acting.do(image, id, { type: 'RemoveImage', usedBy });
    return { message: 'Image deleted' };
  });

  /** The path of a stored image: by its address where one is given, else by its id. */
  const pathOf = async (id: number, url: string | undefined, acting: ActingLane): Promise<string> => {
    const { facts, removed } = (await acting.state(image, id)).state;
    const path = url === undefined ? (removed ? undefined : facts?.path) : url.replace(config.baseUrl, '');
    const name = /^\/images\/([^/]+)$/.exec(path ?? '')?.[1];
    if (!path || !name || !(await images.read(name))) throw new Refusal('NOT_FOUND');
    return path;
  };
  const uses: readonly [typeof adminImageCalls.setLogo | typeof adminImageCalls.setHero, SiteKey, string][] =
    [
      [adminImageCalls.setLogo, 'site_logo_url', 'Logo set'],
      [adminImageCalls.setHero, 'hero_image_url', 'Hero image set'],
    ];
  for (const [declared, key, message] of uses)
    change(declared, async ({ params: { id }, body }, { acting }) => {
      const value = await pathOf(id, body?.imageUrl, acting);
      await changeSetting({ key, value, description: '', category: 'general' }, acting);
      return { message };
    });
};
