import { useState } from 'react';
import { type AdminImage, adminImageCalls } from '#domain/contracts/admin-images.ts';
import { useList } from '#web/lib/api/use-answer.ts';
import { Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Poster } from '#web/ui/poster.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Text } from '#web/ui/text.tsx';
import { type ImageType, UploadImage } from './upload-image.tsx';

const ON_A_PAGE = 12;

const Gallery = ({ onPick, onClose }: { onPick: (image: AdminImage) => void; onClose: () => void }) => {
  const [page, setPage] = useState(1);
  const { data, error } = useList(adminImageCalls.list, { query: { page, limit: ON_A_PAGE } });
  return (
    <Dialog open onClose={onClose} title="Choose from the gallery" width={720}>
      {error && !data ? <Notice tone="bad" alert title="The gallery didn’t load" /> : null}
      {data?.total === 0 ? <Text tone="dim">There are no images yet.</Text> : null}
      {!data && !error ? <Skeleton height={240} /> : null}
      <div className="gallery">
        {data?.items.map((image) => (
          <button key={image.id} type="button" title={image.originalName} onClick={() => onPick(image)}>
            <Poster of={{ imageUrl: image.path }} sizes="180px" alt={image.originalName} />
          </button>
        ))}
      </div>
      <Pagination
        label="Pages of images"
        page={page}
        pages={Math.ceil((data?.total ?? 0) / ON_A_PAGE)}
        onPage={setPage}
      />
    </Dialog>
  );
};

export const ImagePicker = ({
  label,
  type = 'event',
  required = false,
  value,
  error,
  onPick,
}: {
  label: string;
  type?: ImageType;
  required?: boolean;
  value: string;
  error?: string | undefined;
  onPick: (address: string) => void;
}) => {
  const [open, setOpen] = useState<'gallery' | 'upload'>();
  const close = () => setOpen(undefined);
  const pick = ({ path }: AdminImage) => {
    onPick(path);
    close();
  };
  return (
    <>
      <Field
        label={label}
        optional={!required}
        value={value}
        error={error}
        onChange={({ target }) => onPick(target.value)}
        hint={
          value ? (
            <span className="picked-image">
              <Poster of={{ imageUrl: value }} sizes="160px" />
            </span>
          ) : (
            'An address, or one of these:'
          )
        }
      />
      <Row gap="$8" flexWrap="wrap">
        <Button size="compact" onClick={() => setOpen('upload')}>
          Upload image
        </Button>
        <Button size="compact" onClick={() => setOpen('gallery')}>
          Choose from gallery
        </Button>
      </Row>
      {open === 'gallery' ? <Gallery onPick={pick} onClose={close} /> : null}
      {open === 'upload' ? <UploadImage type={type} onDone={pick} onClose={close} /> : null}
    </>
  );
};
