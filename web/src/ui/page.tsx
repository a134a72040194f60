import { type ReactNode, useEffect } from 'react';
import { Box, Row } from './box.tsx';
import { Heading, Text } from './text.tsx';

/** The width of a page's column, and its margins. `narrow` for forms, `reading` for texts. */
export const Page = ({
  children,
  width = 'full',
  gap = '$48',
}: {
  children: ReactNode;
  width?: 'full' | 'reading' | 'narrow';
  gap?: '$24' | '$32' | '$40' | '$48' | '$64';
}) => (
  <Box
    width="100%"
    maxWidth={{ full: 1264, reading: 784, narrow: 544 }[width]}
    marginHorizontal="auto"
    paddingHorizontal="$20"
    paddingTop="$24"
    paddingBottom="$64"
    gap={gap}
    $md={{ paddingHorizontal: '$32', paddingTop: '$40', paddingBottom: '$96' }}
  >
    {children}
  </Box>
);

/** Names the page in the window's title. */
export const useTitle = (title: string | undefined, site: string): void => {
  useEffect(() => {
    document.title = title ? `${title} · ${site}` : site;
  }, [title, site]);
};

/** A part of a page: its title, what leads on from it, and its content. */
export const Section = ({
  title,
  lead,
  more,
  children,
}: {
  title: string;
  lead?: string;
  more?: ReactNode;
  children: ReactNode;
}) => (
  <Box render="section" gap="$24">
    <Row justifyContent="space-between" gap="$16" flexWrap="wrap" alignItems="flex-end">
      <Box gap="$8">
        <Heading size="headline">{title}</Heading>
        {lead ? <Text tone="dim">{lead}</Text> : null}
      </Box>
      {more}
    </Row>
    {children}
  </Box>
);

/** Cards in as many columns as fit; `min` is a card's least width in pixels. */
export const Grid = ({ children, min, gap }: { children: ReactNode; min?: number; gap?: number }) => (
  <div
    className="grid"
    style={
      {
        ...(min ? { '--min': `${min}px` } : {}),
        ...(gap ? { '--gap': `${gap}px` } : {}),
      } as React.CSSProperties
    }
  >
    {children}
  </div>
);

/** Cards to swipe through on a phone, in columns on a desktop. */
export const Rail = ({ children, label }: { children: ReactNode; label: string }) => (
  <section className="rail" aria-label={label}>
    {children}
  </section>
);

/** Two columns on a desktop, one on a phone; the aside stays in sight while the other scrolls. */
export const Split = ({
  main,
  aside,
  asideFirst,
  asideWidth,
  phone,
}: {
  main: ReactNode;
  aside: ReactNode;
  asideFirst?: boolean;
  asideWidth?: number;
  /** Which comes first on a phone; the main one unless told. */
  phone?: 'aside';
}) => (
  <div
    className="split"
    data-first={asideFirst ? 'aside' : undefined}
    data-phone={phone}
    style={asideWidth ? ({ '--aside': `${asideWidth}px` } as React.CSSProperties) : undefined}
  >
    {asideFirst ? <div className="sticky">{aside}</div> : <div>{main}</div>}
    {asideFirst ? <div>{main}</div> : <div className="sticky">{aside}</div>}
  </div>
);

/** A picture, its facts, and its story: the facts follow the picture on a phone, and stand beside both on a desktop. */
export const Feature = ({
  picture,
  facts,
  story,
}: {
  picture: ReactNode;
  facts: ReactNode;
  story: ReactNode;
}) => (
  <div className="feature">
    <div className="feature-picture">{picture}</div>
    <div className="feature-facts">{facts}</div>
    <div>{story}</div>
  </div>
);

/** Nothing to show, or something missing: what it means, and the next step. */
export const Blank = ({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <Box alignItems="center" gap="$16" paddingVertical="$64" paddingHorizontal="$20">
    <Heading size="headline" textAlign="center">
      {title}
    </Heading>
    {children ? (
      <Text tone="dim" textAlign="center" maxWidth={460}>
        {children}
      </Text>
    ) : null}
    {action ? <Row marginTop="$8">{action}</Row> : null}
  </Box>
);

/** A full-screen wait, in words. */
export const Waiting = ({ children }: { children: string }) => (
  <Box minHeight="70vh" alignItems="center" justifyContent="center" gap="$16" role="status">
    <Box color="$lime">
      <span className="spin" aria-hidden="true" />
    </Box>
    <Text tone="dim">{children}</Text>
  </Box>
);
