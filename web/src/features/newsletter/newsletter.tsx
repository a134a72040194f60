import { type FormEvent, useId, useRef, useState } from 'react';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { useSite } from '#web/lib/api/site.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { useKeptFocus } from '#web/lib/kept-focus.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

export const Newsletter = ({ source }: { source: string }) => {
  const [email, setEmail] = useState('');
  const [done, setDone] = useState<string>();
  const subscribe = useChange(newsletterCalls.subscribe, {});
  const id = useId();
  const answer = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(answer);
  if (!useSite().newsletterEnabled) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!email.trim().includes('@')) {
      toastError('Invalid Email', 'Please enter a valid email address.');
      return;
    }
    subscribe.mutate(
      { email: email.trim(), source },
      {
        onSuccess: ({ message, isNewSubscription }) => {
          const known = isNewSubscription === false || /already/i.test(message);
          toast({ title: known ? 'Already subscribed' : 'You’re on the list', description: message });
          setDone(known ? 'You were on the list already.' : 'You’re on the list. We write on Thursdays.');
          setEmail('');
        },
        onError: (error) => toastError('Subscription Failed', sayFailure(error, 'Please try again later.')),
      },
    );
  };
  return (
    <Panel
      render="section"
      aria-labelledby={id}
      $lg={{
        flexDirection: 'row',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: '$64',
        padding: '$48',
      }}
    >
      <Box gap="$8" flexGrow={1} flexShrink={1}>
        <Heading id={id} size="headline">
          Never Miss Out
        </Heading>
        <Text tone="dim" maxWidth={480}>
          One letter a week: what goes on sale, what is nearly gone, and one thing you would not have found.
        </Text>
      </Box>
      <Box flexGrow={1} maxWidth={520} $lg={{ flexBasis: 400 }} ref={answer} tabIndex={-1} {...keptFocus}>
        {done ? (
          <Row gap="$12" minHeight={52} role="status" color="$good">
            <Icon name="check" />
            <Text>{done}</Text>
          </Row>
        ) : (
          <form onSubmit={submit} noValidate>
            <Row gap="$12" alignItems="stretch" flexWrap="wrap">
              <Box flexGrow={1} flexBasis={220}>
                <input
                  className="field-input"
                  type="email"
                  autoComplete="email"
                  aria-label="Your email address"
                  placeholder="you@example.com"
                  value={email}
                  maxLength={254}
                  onChange={(event) => setEmail(event.target.value)}
                />
              </Box>
              <Button kind="outline" type="submit" busy={subscribe.isPending} busyText="Subscribing...">
                Subscribe
              </Button>
            </Row>
          </form>
        )}
      </Box>
    </Panel>
  );
};
