import type { ReactNode } from 'react';
import type { SiteKey } from '#domain/content/site-defaults.ts';
import { Panel, Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const Card = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <Panel padding="$20" gap="$12" $md={{ padding: '$24' }}>
    <Heading size="lead">{title}</Heading>
    <Text tone="dim">{text}</Text>
    <Row gap="$8" flexWrap="wrap">
      {children}
    </Row>
  </Panel>
);

export const ContentCards = ({ disabled, onEdit }: { disabled: boolean; onEdit: (key: SiteKey) => void }) => {
  const opens = (key: SiteKey) =>
    ({ size: 'compact', kind: 'outline', onClick: () => onEdit(key), disabled }) as const;
  return (
    <div className="content-cards">
      <Card title="Hero Section" text="The large image of the home page, and the words on it.">
        <Button {...opens('hero_image_url')}>Edit image</Button>
        <Button {...opens('site_tagline')}>Edit words</Button>
      </Card>
      <Card title="Featured Content" text="Featured events stand first on the home page.">
        <ButtonLink size="compact" kind="outline" to="/admin?tab=events">
          Choose events
        </ButtonLink>
      </Card>
      <Card title="Site Configuration" text="Name, contact, switches and limits.">
        <Button {...opens('site_name')}>Configure</Button>
      </Card>
      <Card title="Quick Image Upload" text="Pictures for events, the logo and the home page.">
        <ButtonLink size="compact" kind="outline" to="/admin?tab=images">
          Upload an image
        </ButtonLink>
      </Card>
    </div>
  );
};
