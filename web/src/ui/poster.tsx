import { type CSSProperties, useState } from 'react';
import { pictureOf } from '#domain/answers/picture.ts';
import type { Picture } from '#domain/contracts/catalogue.ts';
import { Icon } from './icons.tsx';

/** The first letter or digit: titles begin with quotation marks, too. */
const INITIAL = /[\p{L}\p{N}]/u;

/** The host in the address of a stored picture, in whichever size. */
const HOST = /^https?:\/\/[^/]+(?=\/images\/[0-9a-f]{24}-[0-9a-f]{6}-\d+x\d+(-\d+w)?\.webp$)/;

/** The address of our own picture without its host, so that it loads from whichever host name the page was opened under. */
const here = (url: string): string => url.replace(HOST, '');

/** What is in the place of a picture: the event's initial on its category's ground, or an icon where it isn't an event's. */
const StandIn = ({ title, broken }: { title: string | undefined; broken: boolean }) => (
  <div className="stand-in" style={{ '--shift': (title?.length ?? 0) % 5 } as CSSProperties}>
    {title ? (
      // A sign, not a word: the title stands beside it.
      <b aria-hidden="true" translate="no">
        {INITIAL.exec(title)?.[0]}
      </b>
    ) : (
      <Icon name="image" size={28} />
    )}
    {broken ? <span>Image unavailable</span> : null}
  </div>
);

/** What a picture is of: an event, or where only an address is given, the picture itself. */
interface Pictured {
  readonly imageUrl: string | null;
  /** The widths in which it exists, and its dominant colour. */
  readonly picture?: Picture | null;
  readonly title?: string;
  readonly category?: string;
}

/**
 * A picture. Its space is reserved before it loads. An event without one gets a stand-in; where one can't be loaded, the stand-in says so
 * in the specification's words.
 */
export const Poster = ({
  of: { imageUrl: url, picture, title, category },
  ratio = '4 / 3',
  sizes = '(min-width: 1024px) 360px, (min-width: 600px) 50vw, 100vw',
  alt = '',
  eager,
  round,
}: {
  of: Pictured;
  /** CSS aspect ratio; null lets the picture fill the height of its container. */
  ratio?: string | null;
  sizes?: string;
  /** The text for screen readers; empty where the title stands beside the picture. */
  alt?: string;
  eager?: boolean;
  round?: boolean;
}) => {
  const [broken, setBroken] = useState<string>();
  const shown = url && broken !== url ? here(url) : undefined;
  const known = picture ?? pictureOf(shown ?? null, '');
  return (
    <div
      className="poster"
      data-category={category}
      style={{
        ...(ratio ? { aspectRatio: ratio } : {}),
        ...(round ? { borderRadius: 'var(--radius-large)' } : {}),
        ...(shown && known ? { background: known.color } : {}),
      }}
    >
      {shown ? (
        <img
          className="poster-image"
          src={shown}
          srcSet={known?.sizes.map((size) => `${here(size.url)} ${size.width}w`).join(', ') || undefined}
          sizes={sizes}
          width={known?.width ?? 1200}
          height={known?.height ?? 900}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          // One that failed before this script was there tells nobody.
          ref={(image) => {
            if (image?.complete && image.naturalWidth === 0)
              image.decode().catch(() => setBroken(url ?? undefined));
          }}
          onError={() => setBroken(url ?? undefined)}
        />
      ) : (
        <StandIn title={title} broken={Boolean(url)} />
      )}
    </div>
  );
};
