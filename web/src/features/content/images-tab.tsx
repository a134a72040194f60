import { type AdminImage, adminImageCalls } from '#domain/contracts/admin-images.ts';
import { adminSiteCalls } from '#domain/contracts/admin-site.ts';
import { type SiteSettings, siteCalls } from '#domain/contracts/site.ts';
import { useSite } from '#web/lib/api/site.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box } from '#web/ui/box.tsx';
import { deleting, RemoveDialog } from '#web/ui/form/remove-dialog.tsx';
import { imageTypes, UploadImage } from '#web/ui/form/upload-image.tsx';
import { ANYWHERE, type Column, instant } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';
import { Poster } from '#web/ui/poster.tsx';

/** A file's size in words: `1536` → "1.5 KB". */
const sizeOf = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} Bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
};

const Uses = ({ of: { path, secureUrl }, site }: { of: AdminImage; site: SiteSettings }) => {
  const isAt = (url: string) => url === path || url === secureUrl;
  const isLogo = isAt(site.logoUrl);
  const isHero = isAt(site.heroImageUrl);
  if (!isLogo && !isHero) return null;
  return (
    <Box gap="$4">
      {isLogo ? <Badge tone="good">Now the logo</Badge> : null}
      {isHero ? <Badge tone="good">Now the hero</Badge> : null}
    </Box>
  );
};

const columns = (site: SiteSettings): readonly Column<AdminImage>[] => [
  {
    header: 'Image',
    card: 'image',
    cell: ({ path }) => <Poster of={{ imageUrl: path }} sizes="(min-width: 700px) 320px, 50vw" />,
  },
  { header: 'Use', card: 'corner', cell: (image) => <Uses of={image} site={site} /> },
  {
    header: 'File',
    sort: 'name',
    card: 'head',
    cell: ({ originalName }) => (
      <span className="clamp-2" style={ANYWHERE} title={originalName}>
        {originalName}
      </span>
    ),
  },
  { header: 'For', cell: ({ type }) => imageTypes[type] },
  { header: 'Pixels', cell: ({ width, height }) => `${width} × ${height}` },
  { header: 'Size', sort: 'size', cell: ({ bytes }) => sizeOf(bytes) },
  instant('Uploaded', ({ createdAt }) => createdAt, { sort: 'date' }),
];

const uses = [
  { words: 'Set as logo', what: 'Logo', call: adminImageCalls.setLogo },
  { words: 'Set as hero', what: 'Hero Image', call: adminImageCalls.setHero },
] as const;

export const Tab = () => {
  const site = useSite();
  return (
    <List
      call={adminImageCalls.list}
      title="Images"
      empty={{ title: 'No images yet', text: 'Upload the first one.' }}
      columns={columns(site)}
      pictures
      perPage={24}
      search="Search by file name"
      filters={[{ name: 'type', label: 'For', all: 'All types', options: imageTypes }]}
      create={{ words: 'Upload', open: (onClose) => <UploadImage type="general" onClose={onClose} /> }}
      actions={({ id, originalName: name }) => [
        ...uses.map(({ words, what, call }) => ({
          words,
          label: `${words}: ${name}`,
          open: (onClose: () => void) => (
            <RemoveDialog
              call={call}
              change={{
                params: { id },
                stale: [siteCalls.config, adminSiteCalls.list],
                done: ({ message }) => ({ title: message, description: name }),
                failed: `Failed to Set ${what}`,
              }}
              title={`Show it as the ${what.toLowerCase()}?`}
              confirm={words}
              refuse="Cancel"
              busyText="Setting..."
              harmless
              onClose={onClose}
            >
              Everybody sees it at once.
            </RemoveDialog>
          ),
        })),
        deleting(adminImageCalls.remove, {
          ...{ id, name },
          what: 'image',
          stale: [adminImageCalls.list],
          failed: 'Delete Failed',
          text: 'An image that an event or a setting shows can’t be deleted.',
        }),
      ]}
    />
  );
};
