import { HOME_ZONE, sayLongDate, toWallClock } from '#domain/kernel/zone.ts';
import { useSite } from '#web/lib/api/site.ts';
import { Box } from '#web/ui/box.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

export interface Clause {
  readonly title: string;
  readonly text: string;
}

/** "Last updated" is always today (specification, section 2), so version and date are shown beside it. */
export const LegalText = ({
  title,
  version,
  clauses,
}: {
  title: string;
  version: string;
  clauses: readonly Clause[];
}) => {
  useTitle(title, useSite().siteName);
  return (
    <Page width="reading" gap="$40">
      <Box gap="$12">
        <Heading render="h1" size="poster">
          {title}
        </Heading>
        <Text size="small" tone="dim" figures>
          {`Last updated: ${sayLongDate(toWallClock(new Date().toISOString(), HOME_ZONE).date)} · ${version}`}
        </Text>
      </Box>
      {clauses.map((clause) => (
        <Box key={clause.title} gap="$8">
          <Heading size="title">{clause.title}</Heading>
          <Text tone="dim">{clause.text}</Text>
        </Box>
      ))}
    </Page>
  );
};
