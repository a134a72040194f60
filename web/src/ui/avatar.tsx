import { Picture } from './bar.tsx';

export const Avatar = (avatar: { imageUrl: string | null; initials: string }) => (
  <span className="avatar" aria-hidden="true">
    <Picture {...avatar} />
  </span>
);
