import { useCategories } from '#web/lib/api/catalogue.ts';
import { Box } from '#web/ui/box.tsx';
import { MoodTile } from '#web/ui/event-card.tsx';
import { Section } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const invitations: Record<string, string> = {
  concerts: 'Loud rooms, quiet rooms',
  dining: 'Long tables, good company',
  nightlife: 'For when one more is right',
  culture: 'Stages, screens, late galleries',
};

export const Moods = () => (
  <Section title="What are you in the mood for?">
    <div className="moods">
      {useCategories().map((category) => (
        <MoodTile key={category.slug} to={`/events?category=${category.slug}`} hue={category.slug}>
          <span className="mood-sign" aria-hidden="true">
            {category.emoji}
          </span>
          <Box gap="$4">
            <Heading render="h3" size="title">
              {category.name}
            </Heading>
            <Text size="small" tone="dim">
              {invitations[category.slug] ?? category.description}
            </Text>
          </Box>
        </MoodTile>
      ))}
    </div>
  </Section>
);
