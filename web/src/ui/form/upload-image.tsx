import { LARGEST_UPLOAD, UPLOAD_FORMATS } from '#domain/answers/picture.ts';
import { type AdminImage, adminImageCalls } from '#domain/contracts/admin-images.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { Field, Select } from '#web/ui/field.tsx';
import { FormDialog } from './form-dialog.tsx';

export const imageTypes = { general: 'General', event: 'Event', logo: 'Logo', hero: 'Hero' } as const;
export type ImageType = keyof typeof imageTypes;

const ACCEPTED = UPLOAD_FORMATS.map((format) => `image/${format}`);

const complaint = (file: File | undefined): string | undefined => {
  if (!file) return 'Please choose a file';
  if (!ACCEPTED.includes(file.type)) return 'Please choose a JPEG, PNG or WebP picture.';
  return file.size > LARGEST_UPLOAD ? 'The picture is larger than 10 MB.' : undefined;
};

interface Form {
  readonly image: string;
  readonly file: File | undefined;
  readonly type: string;
}

export const UploadImage = ({
  type,
  onDone,
  onClose,
}: {
  type: ImageType;
  onDone?: (image: AdminImage) => void;
  onClose: () => void;
}) => {
  const change = useChange(adminImageCalls.upload, {
    stale: [adminImageCalls.list],
    done(image) {
      onDone?.(image);
      const isEvents = onDone && type === 'event';
      const description = isEvents
        ? 'Image uploaded successfully and set as event image'
        : image.originalName;
      return { title: 'Image Uploaded', description };
    },
    failed: 'Upload Failed',
    unsure: 'Failed to upload image. Please try again.',
  });
  return (
    <FormDialog<Form, FormData>
      title="Upload an image"
      blank={{ image: '', file: undefined, type }}
      check={({ file, type: chosen }) => {
        const problem = complaint(file);
        if (problem || !file) return { ok: false, problems: { image: problem } };
        const value = new FormData();
        value.set('type', chosen);
        value.set('image', file);
        return { ok: true, value };
      }}
      submit="Upload"
      busyText="Uploading..."
      {...{ change, onClose }}
    >
      {({ field, change: set }) => {
        const { value, onChange: _, ...image } = field('image');
        return (
          <>
            <Field
              label="File"
              hint="JPEG, PNG or WebP, at most 10 MB."
              type="file"
              accept={ACCEPTED.join(',')}
              {...image}
              onChange={({ target }) => set({ image: target.value, file: target.files?.[0] })}
            />
            <Select
              label="For"
              {...field('type')}
              options={Object.entries(imageTypes).map(([one, label]) => ({ value: one, label }))}
            />
          </>
        );
      }}
    </FormDialog>
  );
};
