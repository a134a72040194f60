import { Picture } from './bar.tsx';

/** A person's picture, or their initials, beside their name. */
export const Face = (face: { imageUrl: string | null; initials: string }) => (
  <span className="avatar" aria-hidden="true">
    <Picture {...face} />
  </span>
);
