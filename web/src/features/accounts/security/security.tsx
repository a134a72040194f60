import type { ReactNode } from 'react';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Page, useTitle, Waiting } from '#web/ui/page.tsx';
import { Heading } from '#web/ui/text.tsx';
import { Password } from './password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Panel render="section" gap="$20" aria-label={title}>
    <Heading size="title">{title}</Heading>
    {children}
  </Panel>
);

export const SecurityPage = () => {
  const { user } = useSession();
  useTitle('Sign-in and security', useSite().siteName);
  if (!user) return <Waiting>Checking authentication...</Waiting>;
  return (
    <Page width="reading" gap="$32">
      <Box gap="$8">
        <Heading render="h1" size="headline">
          Sign-in and security
        </Heading>
        <Row>
          <TextLink to="/profile">Back to your profile</TextLink>
        </Row>
      </Box>
      {user.needsSecondFactor ? (
        <Notice tone="warn" title="Set up your second step first">
          On this site everybody who does more than buy signs in with a code besides the password. Until you
          have set that up below, you can do what customers can.
        </Notice>
      ) : null}
      <Part title="Second step">
        <SecondFactor user={user} />
      </Part>
      <Part title="Password">
        <Password user={user} />
      </Part>
      <Part title="Where you are signed in">
        <Sessions />
      </Part>
    </Page>
  );
};
