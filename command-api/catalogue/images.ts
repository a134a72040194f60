import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { image } from '#domain/content/image.ts';
import { uploadFields } from '#domain/contracts/admin-images.ts';
import { inOneLine, LONGEST } from '#domain/contracts/fields.ts';
import { badInput } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import { type ImageStore, UnusableImage } from '#infra/images/image-store.ts';

const NO_FILE = 'Please choose a file';

export const nameOf = (file: File): string =>
  inOneLine(file.name.replace(/^.*[\\/]/, '').slice(-LONGEST.title)) || 'image';

export const uploadOf = (body: unknown) => {
  // The body is not FormData when the client sent JSON or nothing.
  const form = body instanceof FormData ? body : new FormData();
  const file = form.get('image');
  if (!(file instanceof File) || file.size === 0) throw refusalOf(badInput({ image: NO_FILE }));
  const fields = uploadFields.safeParse({ type: form.get('type') || undefined });
  if (!fields.success) throw refusalOf(badInput({ type: 'Not a type of image' }));
  return { file, use: fields.data.type };
};

export const storeImage = async (images: ImageStore, file: File) =>
  images.store(Buffer.from(await file.arrayBuffer())).catch((error: unknown) => {
    if (error instanceof UnusableImage)
      throw new Refusal('UNUSABLE_FILE', {}, { message: error.message, cause: error });
    throw error;
  });

export const pathAt = async (
  address: string,
  { images, config }: Pick<CommandDeps, 'config'> & { readonly images: ImageStore },
): Promise<string | undefined> => {
  const path = address.replace(config.baseUrl, '');
  const name = /^\/images\/([^/]+)$/.exec(path)?.[1];
  return name && (await images.read(name)) ? path : undefined;
};

export const storedPath = async (
  { id, url }: { readonly id: number; readonly url: string | undefined },
  { images, config }: Pick<CommandDeps, 'config'> & { readonly images: ImageStore },
  acting: ActingHandler,
): Promise<string> => {
  const { facts, removed } = (await acting.state(image, id)).state;
  const address = url ?? (removed ? undefined : facts?.path);
  const path = address && (await pathAt(address, { images, config }));
  if (!path) throw new Refusal('NOT_FOUND');
  return path;
};
