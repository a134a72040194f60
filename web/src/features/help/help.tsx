import { useState } from 'react';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { mayAdminister } from '#web/lib/roles.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CardFrame, CardLink } from '#web/ui/event-card.tsx';
import { RoundInput } from '#web/ui/field.tsx';
import { EmptyState, Grid, Page, useTitle } from '#web/ui/page.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { Fold } from '#web/ui/timeline.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import { searchFaq } from './faq.ts';

const Faq = ({ search, onClear }: { search: string; onClear: () => void }) => {
  const sections = searchFaq(search);
  if (sections.length === 0)
    return (
      <EmptyState title="No results found" action={<Button onClick={onClear}>Show all questions</Button>}>
        Try another word, or write to us under Contact Support.
      </EmptyState>
    );
  return (
    <Box gap="$40">
      {sections.map((section) => (
        <Box key={section.title} gap="$8">
          <Heading size="title">{section.title}</Heading>
          {section.questions.map(({ question, answer }) => (
            <Fold key={question} title={question} open={search.trim() !== ''}>
              <Text tone="dim">{answer}</Text>
            </Fold>
          ))}
        </Box>
      ))}
    </Box>
  );
};

const ActionCard = ({ to, title, children }: { to: string; title: string; children: string }) => (
  <CardFrame>
    <Box padding="$20" gap="$4">
      <Heading render="h2" size="lead">
        <CardLink to={to}>{title}</CardLink>
      </Heading>
      <Text size="small" tone="dim">
        {children}
      </Text>
    </Box>
  </CardFrame>
);

export const HelpPage = () => {
  const { user, isAuthenticated } = useSession();
  const { siteName } = useSite();
  const [search, setSearch] = useState('');
  const [tab, setTab] = useState<'faq' | 'guides' | 'contact'>('faq');
  const [writing, setWriting] = useState(false);
  useTitle('Help Center', siteName);
  const account = isAuthenticated ? '/profile' : '/auth';
  return (
    <Page width="reading" gap="$40">
      <Box gap="$20">
        <Heading render="h1" size="poster">
          How can we help?
        </Heading>
        <RoundInput
          icon="search"
          label="Search the help"
          type="search"
          placeholder="Refunds, tickets, passwords..."
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setTab('faq');
          }}
        />
      </Box>
      <Grid min={200} gap={12}>
        <ActionCard to={account} title="View My Bookings">
          Tickets, refunds, and what happened to them.
        </ActionCard>
        <ActionCard to={account} title="Account Settings">
          Your details, and deleting them for good.
        </ActionCard>
        <ActionCard to="/events" title="Browse Events">
          What is on, where and when.
        </ActionCard>
      </Grid>
      <Tabs
        label="Help"
        active={tab}
        onChange={setTab}
        tabs={[
          { name: 'faq', label: 'FAQ' },
          { name: 'guides', label: 'User Guides' },
          { name: 'contact', label: 'Contact Support' },
        ]}
      >
        {tab === 'faq' ? <Faq search={search} onClear={() => setSearch('')} /> : null}
        {tab === 'guides' ? (
          <Grid min={280}>
            <Panel>
              <Heading size="title">User Guide</Heading>
              <Text tone="dim">
                {`What ${siteName} is, how a booking goes, and what happens with your money and data.`}
              </Text>
              <Row>
                <ButtonLink to="/about">Read it</ButtonLink>
              </Row>
            </Panel>
            {user && mayAdminister(user.role) ? (
              <Panel>
                <Heading size="title">Admin Guide</Heading>
                <Text tone="dim">Events and refunds are looked after in the admin panel.</Text>
                <Row>
                  <ButtonLink to="/admin">Open the admin panel</ButtonLink>
                </Row>
              </Panel>
            ) : null}
          </Grid>
        ) : null}
        {tab === 'contact' ? (
          <Panel>
            <Heading size="title">Write to us</Heading>
            <Text tone="dim">A person reads it and replies within 24 hours.</Text>
            <Row>
              <Button kind="primary" onClick={() => setWriting(true)}>
                Contact Support
              </Button>
            </Row>
          </Panel>
        ) : null}
      </Tabs>
      {writing ? <ContactDialog onClose={() => setWriting(false)} /> : null}
    </Page>
  );
};
