import { type AdminImage, adminImageCalls } from '#domain/contracts/admin-images.ts';
import { adminSiteCalls } from '#domain/contracts/admin-site.ts';
import { siteCalls } from '#domain/contracts/site.ts';
import { type Column, instant } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { imageTypes, UploadImage } from '../../kit/upload-image.tsx';

/** A file's size in words: `1536` → "1.5 KB". */
const sizeOf = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} Bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
};

const columns: readonly Column<AdminImage>[] = [
  {
    header: 'Image',
    card: 'image',
    cell: ({ thumbnailUrl }) => <img className="gallery-thumb" src={thumbnailUrl} alt="" loading="lazy" />,
  },
  { header: 'File', sort: 'name', card: 'head', cell: ({ originalName }) => originalName },
  { header: 'For', cell: ({ type }) => imageTypes[type] },
  { header: 'Pixels', cell: ({ width, height }) => `${width} × ${height}` },
  { header: 'Size', sort: 'size', align: 'end', cell: ({ bytes }) => sizeOf(bytes) },
  instant('Uploaded', ({ createdAt }) => createdAt, { sort: 'date' }),
];

const uses = [
  { words: 'Set as logo', what: 'the logo', call: adminImageCalls.setLogo, failed: 'Failed to Set Logo' },
  {
    words: 'Set as hero',
    what: 'the hero image',
    call: adminImageCalls.setHero,
    failed: 'Failed to Set Hero Image',
  },
] as const;

/** The images tab: the gallery, from which events, the logo and the hero take their images. */
export const Tab = () => (
  <List
    call={adminImageCalls.list}
    title="Images"
    noun="images"
    empty={{ title: 'No images yet', text: 'Upload the first one.' }}
    columns={columns}
    perPage={24}
    search="Search by file name"
    filters={[{ name: 'type', label: 'For', all: 'All types', options: imageTypes }]}
    create={{ words: 'Upload', open: (onClose) => <UploadImage type="general" onClose={onClose} /> }}
    actions={(image) => [
      ...uses.map(({ words, what, call, failed }) => ({
        words,
        label: `${words}: ${image.originalName}`,
        open: (onClose: () => void) => (
          <RemoveDialog
            call={call}
            change={{
              params: { id: image.id },
              stale: [siteCalls.config, adminSiteCalls.list],
              done: ({ message }) => ({ title: message, description: image.originalName }),
              failed,
            }}
            title={`Show it as ${what}?`}
            confirm={words}
            refuse="Cancel"
            busyText="Setting..."
            onClose={onClose}
          >
            Everybody sees it at once.
          </RemoveDialog>
        ),
      })),
      {
        words: 'Delete',
        label: `Delete ${image.originalName}`,
        open: (onClose: () => void) => (
          <RemoveDialog
            call={adminImageCalls.remove}
            change={{
              params: { id: image.id },
              stale: [adminImageCalls.list],
              done: () => ({ title: 'Image deleted', description: image.originalName }),
              failed: 'Delete Failed',
            }}
            title={`Delete ${image.originalName}?`}
            onClose={onClose}
          >
            An image that an event or a setting shows can’t be deleted.
          </RemoveDialog>
        ),
      },
    ]}
  />
);
