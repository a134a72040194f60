import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { AnswerOf } from '#domain/contracts/call.ts';
import { sponsorCalls } from '#domain/contracts/sponsors.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { mayAdminister } from '#web/lib/roles.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Text } from '#web/ui/text.tsx';
import { Logo } from './logo.tsx';

const FooterLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <li>
    <Link to={to} className="footer-link">
      {children}
    </Link>
  </li>
);

const Column = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box flexBasis={140} flexGrow={1} gap="$4">
    <Text size="small" strong render="h2">
      {title}
    </Text>
    <ul>{children}</ul>
  </Box>
);

/** Pixels. */
const WIDEST = 144;
const HIGHEST = 40;

/** Sized before loading, against layout shift. */
const Sponsors = ({ sponsors }: { sponsors: AnswerOf<typeof sponsorCalls.list> }) => (
  <Box
    render="section"
    aria-labelledby="sponsors"
    maxWidth="var(--column)"
    width="100%"
    marginHorizontal="auto"
    padding="$20"
    paddingBottom="$40"
    paddingTop="$0"
    gap="$12"
    $md={{ paddingHorizontal: '$32' }}
  >
    <Text id="sponsors" size="small" strong render="h2">
      Our sponsors
    </Text>
    <ul style={{ display: 'flex', flexWrap: 'wrap', gap: 12 }}>
      {sponsors.map(({ id, name, link, logo: { width, height, sizes } }) => {
        const scale = Math.min(1, WIDEST / width, HIGHEST / height);
        return (
          <li key={id}>
            <a
              href={link}
              rel="noopener sponsored"
              style={{
                ...{ display: 'flex', alignItems: 'center', justifyContent: 'center' },
                ...{ height: HIGHEST + 16, minWidth: HIGHEST + 16, padding: '8px 12px' },
                ...{ background: 'var(--paper)', color: 'var(--ink)', borderRadius: 'var(--radius-small)' },
              }}
            >
              <img
                src={sizes[0]?.url.replace(/^https?:\/\/[^/]+/, '')}
                alt={name}
                width={Math.round(width * scale)}
                height={Math.round(height * scale)}
                loading="lazy"
                decoding="async"
              />
            </a>
          </li>
        );
      })}
    </ul>
  </Box>
);

export const Footer = () => {
  // Last in the footer, so that nothing above them moves, and no link waits for them.
  const { data: sponsors = [] } = useAnswer(sponsorCalls.list, undefined, { refetchOnMount: true });
  const { siteName, contactEmail, contactPhone, ...site } = useSite();
  const social = [
    ['Facebook', site.socialFacebook],
    ['Twitter', site.socialTwitter],
    ['Instagram', site.socialInstagram],
  ].filter(([, url]) => url);
  const { user } = useSession();
  return (
    <Box render="footer" borderTopWidth={1} borderColor="$line" borderStyle="solid" marginTop="auto">
      <Row
        maxWidth="var(--column)"
        width="100%"
        marginHorizontal="auto"
        padding="$20"
        paddingVertical="$40"
        gap="$32"
        flexWrap="wrap"
        alignItems="flex-start"
        $md={{ paddingHorizontal: '$32' }}
      >
        <Box flexBasis={260} flexGrow={2} gap="$12">
          <Logo />
          <Text size="small" tone="dim" maxWidth={300}>
            Live nights in UK cities. Every booking, refund and scan can be played again.
          </Text>
          {contactEmail ? (
            <Text size="small" tone="dim">
              {contactEmail}
            </Text>
          ) : null}
          {contactPhone ? (
            <Text size="small" tone="dim" figures>
              {contactPhone}
            </Text>
          ) : null}
          {social.length > 0 ? (
            <Row gap="$16" flexWrap="wrap">
              {social.map(([name, url]) => (
                <a key={name} className="link" href={url} rel="noopener">
                  {name}
                </a>
              ))}
            </Row>
          ) : null}
        </Box>
        <Column title="Go out">
          <FooterLink to="/events">Browse Events</FooterLink>
          <FooterLink to="/profile">My Bookings</FooterLink>
          {user && mayAdminister(user.role) ? <FooterLink to="/admin">Event Management</FooterLink> : null}
        </Column>
        <Column title={siteName}>
          <FooterLink to="/about">About Us</FooterLink>
          <FooterLink to="/contact">Contact</FooterLink>
          <FooterLink to="/help">Help Center</FooterLink>
        </Column>
        <Column title="The small print">
          <FooterLink to="/privacy">Privacy Policy</FooterLink>
          <FooterLink to="/terms">Terms of Service</FooterLink>
          <FooterLink to="/cookies">Cookie Policy</FooterLink>
        </Column>
      </Row>
      {sponsors.length > 0 ? <Sponsors sponsors={sponsors} /> : null}
    </Box>
  );
};
