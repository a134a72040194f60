import type { ScanResult } from '#domain/contracts/tickets.ts';
import { when } from '#web/lib/formatters/when.ts';
import { AnswerScreen } from '#web/ui/answer-screen.tsx';
import { Box } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const White = ({ children, strong }: { children: React.ReactNode; strong?: boolean }) => (
  <Text size="lead" strong={strong} textAlign="center" figures>
    {children}
  </Text>
);

export const sayWaiting = (codes: number): string =>
  codes === 0
    ? ''
    : codes === 1
      ? 'One more ticket waits to be checked.'
      : `${codes} more tickets wait to be checked.`;

export const Result = ({
  result,
  waiting,
  onNext,
}: {
  result: ScanResult;
  waiting: number;
  onNext: () => void;
}) => {
  // Superusers' specification, section 2.
  const { valid, event, booking, user, error, quantity = 1, validationDetails = [] } = result;
  return (
    <AnswerScreen yes={valid} label={valid ? 'Valid Ticket' : 'Invalid Ticket'} onClose={onNext}>
      <Box role="alert" alignItems="center" gap="$8" maxWidth={640}>
        {valid ? <White>Ticket Scanned Successfully</White> : null}
        <Heading render="h2" size="marquee" textAlign="center">
          {valid ? 'Valid Ticket' : 'Invalid Ticket'}
        </Heading>
        {valid ? (
          <Heading render="p" size="headline" textAlign="center" figures>
            {`Admit ${quantity}`}
          </Heading>
        ) : (
          <Heading render="p" size="headline" textAlign="center">
            {error ?? 'Ticket validation failed'}
          </Heading>
        )}
      </Box>
      <Box alignItems="center" gap="$4" maxWidth={640}>
        {event ? (
          <>
            <White strong>{event.title}</White>
            <White>{`${event.venue}, ${when(event)}`}</White>
          </>
        ) : null}
        {user ? <White>{user.email}</White> : null}
        {booking ? <White>{`Booking ${booking.id}`}</White> : null}
        {validationDetails.length > 0 ? (
          <ul>
            {validationDetails.map((detail) => (
              <li key={detail}>
                <Text textAlign="center">{detail}</Text>
              </li>
            ))}
          </ul>
        ) : null}
      </Box>
      <Box role="status">{waiting > 0 ? <White strong>{sayWaiting(waiting)}</White> : null}</Box>
      <Box width="100%" maxWidth={420} marginTop="$16">
        <Button size="large" wide autoFocus onClick={onNext}>
          Scan Next Ticket
        </Button>
      </Box>
    </AnswerScreen>
  );
};
