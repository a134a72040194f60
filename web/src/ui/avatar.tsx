import { Picture } from './bar.tsx';

export const Face = (face: { imageUrl: string | null; initials: string }) => (
  <span className="avatar" aria-hidden="true">
    <Picture {...face} />
  </span>
);
