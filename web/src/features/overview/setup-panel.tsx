import { type SetupStep, setupCalls } from '#domain/contracts/admin-setup.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const steps: Readonly<Record<SetupStep, readonly [name: string, action?: string, to?: string]>> = {
  categories: ['Categories', 'Add a category', '/admin?tab=categories'],
  city: ['A city', 'Add a city', '/admin?tab=cities'],
  venue: ['A venue', 'Add a venue', '/admin?tab=venues'],
  logo: ['Your logo', 'Upload a logo', '/admin?tab=images'],
  payments: ['Payments'],
  mail: ['Mail'],
  scanner: ['Scanner', 'Choose who scans', '/admin?tab=users'],
  event: ['The first event', 'Create an event', '/admin?tab=events'],
};
const LASTING: ReadonlySet<SetupStep> = new Set(['payments', 'mail', 'scanner']);

export const SetupPanel = () => {
  const { data, error, refetch } = useAnswer(setupCalls.read);
  if (error && !data) return <NotLoaded what="What the site still needs" {...{ error, refetch }} />;
  if (!data) return <Skeleton height={360} />;
  const open = data.filter(({ ready }) => !ready).length;
  const shown = open > 0 ? data : data.filter(({ name }) => LASTING.has(name));
  return (
    <Panel padding="$20" gap="$12" $md={{ padding: '$24' }}>
      <Heading size="title">{open > 0 ? 'Set up your site' : 'Ready to sell'}</Heading>
      {open > 0 ? <Text tone="dim">{`${data.length - open} of ${data.length} steps are done.`}</Text> : null}
      <ul className="plain-rows">
        {shown.map(({ name, ready, detail }) => {
          const [label, action, to] = steps[name];
          return (
            <li key={name}>
              <Row justifyContent="space-between" gap="$12" flexWrap="wrap" paddingVertical="$8">
                <Box flexShrink={1}>
                  <Text strong>{label}</Text>
                  <Text size="small" tone="dim">
                    {detail}
                  </Text>
                </Box>
                {ready || !to ? (
                  <Badge tone={ready ? 'good' : 'warn'}>{ready ? 'Ready' : 'Not yet'}</Badge>
                ) : (
                  <ButtonLink size="compact" kind="outline" to={to}>
                    {action}
                  </ButtonLink>
                )}
              </Row>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};
