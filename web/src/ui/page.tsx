import { type ReactNode, type Ref, useEffect } from 'react';
import { Box, Row } from './box.tsx';
import { Heading, Text } from './text.tsx';

export const Page = ({
  children,
  width = 'full',
  gap = '$48',
}: {
  children: ReactNode;
  width?: 'wide' | 'full' | 'reading' | 'narrow';
  gap?: '$24' | '$32' | '$40' | '$48' | '$64';
}) => (
  <Box
    width="100%"
    className={width === 'wide' ? 'page-wide' : undefined}
    maxWidth={{ wide: 'var(--column)', full: 'var(--column)', reading: 784, narrow: 544 }[width]}
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

/** Also updates the canonical address, because the server set only that of the first page. */
export const useTitle = (title: string | undefined, site: string): void => {
  useEffect(() => {
    document.title = title ? `${title} · ${site}` : site;
    const link = document.querySelector<HTMLLinkElement>('[rel=canonical]');
    if (link) link.href = new URL(location.pathname, link.href).href;
  }, [title, site]);
};

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
  <section className="section" data-more={more ? '' : undefined}>
    <Box gap="$8">
      <Heading size="headline">{title}</Heading>
      {lead ? <Text tone="dim">{lead}</Text> : null}
    </Box>
    {more ? <div className="section-more">{more}</div> : null}
    <div className="section-body">{children}</div>
  </section>
);

export const Grid = ({
  children,
  min,
  gap,
  ref,
}: {
  children: ReactNode;
  min?: number;
  gap?: number;
  ref?: Ref<HTMLDivElement>;
}) => (
  <div
    ref={ref}
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

export const Rail = ({ children, label }: { children: ReactNode; label?: string }) => (
  <section className="rail" aria-label={label}>
    {children}
  </section>
);

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

const EmptyStage = () => (
  <svg className="empty-stage" viewBox="0 0 200 132" aria-hidden="true" focusable="false">
    <linearGradient id="beam" x1="0" y1="0" x2="0" y2="1">
      <stop stopColor="var(--lime)" stopOpacity="0.34" />
      <stop offset="1" stopColor="var(--lime)" stopOpacity="0.03" />
    </linearGradient>
    <path d="M92 6h16l52 110H40Z" fill="url(#beam)" />
    <ellipse cx="100" cy="116" rx="60" ry="11" fill="var(--lime)" opacity="0.16" />
    <rect x="88" y="0" width="24" height="8" rx="4" fill="var(--lime)" />
    <path
      d="M64 66h72v11a8 8 0 0 0 0 16v11H64V93a8 8 0 0 0 0-16Zm46 0v38"
      transform="rotate(-6 100 85)"
      fill="none"
      stroke="var(--paper)"
      strokeWidth="2.5"
      strokeDasharray="5 6"
      strokeLinecap="round"
    />
  </svg>
);

export const EmptyState = ({
  title,
  children,
  action,
  level = 'h2',
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  level?: 'h1' | 'h2' | 'h3';
}) => (
  <Box alignItems="center" gap="$16" paddingVertical="$40" paddingHorizontal="$20">
    <EmptyStage />
    <Heading render={level} size="headline" textAlign="center">
      {title}
    </Heading>
    {children ? (
      <Text tone="dim" textAlign="center" maxWidth={460} textWrap="balance">
        {children}
      </Text>
    ) : null}
    {action ? <Row marginTop="$8">{action}</Row> : null}
  </Box>
);

export const Waiting = ({ children }: { children: string }) => (
  <Box minHeight="70vh" alignItems="center" justifyContent="center" gap="$16" role="status">
    <Box color="$lime">
      <span className="spin" aria-hidden="true" />
    </Box>
    <Text tone="dim">{children}</Text>
  </Box>
);
