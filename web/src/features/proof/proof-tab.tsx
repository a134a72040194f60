import { type FormEvent, useState } from 'react';
import type { LogCheck, Verification } from '#domain/contracts/log-proofs.ts';
import { sayFinding } from '#domain/proof/proof.ts';
import { loggedOut } from '#web/lib/api/logged-out.ts';
import { count } from '#web/lib/formatters/count.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { toastError } from '#web/lib/toast.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { type AskedEntry, takeLog, useEntryProof, useLogCheck, useVerification } from './proofs.ts';
import { Verdict } from './verdict.tsx';

const ZONE = 'Europe/London';

const Comparison = ({ check }: { check: LogCheck }) => {
  const { doneAt, askedAt, findings, error, compared, size } = check;
  return (
    <Box render="li" gap="$8">
      <Row gap="$12" flexWrap="wrap">
        {!doneAt ? (
          <Badge tone="warn">{check.startedAt ? 'Under way' : 'Waiting'}</Badge>
        ) : error ? (
          <Badge tone="bad">Could not be done</Badge>
        ) : findings?.length ? (
          <Badge tone="bad">Does not fit</Badge>
        ) : (
          <Badge tone="good">Fits</Badge>
        )}
        <Text size="small" tone="dim" figures>
          {moment(doneAt ?? askedAt, ZONE)}
        </Text>
        <Text size="small" figures>
          {`${count(compared)} of ${count(size ?? 0)} entries`}
        </Text>
      </Row>
      {error ? <Text size="small">{error}</Text> : null}
      {findings?.map((finding) => (
        <Text key={`${finding.kind} ${finding.entry}`} size="small">
          {sayFinding(finding)}
        </Text>
      ))}
    </Box>
  );
};

const WholeLog = ({ state }: { state: Verification }) => {
  const check = useLogCheck();
  const [share, setShare] = useState<number>();
  const running = state.checks.some(({ doneAt }) => !doneAt);
  const take = async () => {
    setShare(0);
    try {
      await takeLog(setShare);
    } catch (error) {
      if (!loggedOut(error))
        toastError('Download Failed', sayFailure(error, 'No answer came. Please try again.'));
    } finally {
      setShare(undefined);
    }
  };
  return (
    <Panel padding="$20" gap="$20" $md={{ padding: '$24' }}>
      <Heading render="h2" size="title">
        The whole log
      </Heading>
      {state.broken ? (
        <Notice tone="bad" alert title="The log does not fit what was signed">
          {`${state.broken} Nothing is signed any more; selling goes on.`}
        </Notice>
      ) : (
        <Box gap="$8">
          <Badge tone="good">Signed</Badge>
          <Text figures>
            {`${count(state.signedSize)} of ${count(state.size)} entries are signed${
              state.signedAt ? `, the last of them ${moment(state.signedAt, ZONE)}` : ''
            }.`}
          </Text>
        </Box>
      )}
      <Row gap="$12" flexWrap="wrap">
        <Button
          kind="primary"
          busy={check.isPending || running}
          busyText="Comparing…"
          onClick={() =>
            check.mutate(undefined, {
              onError: (error) => {
                if (!loggedOut(error)) toastError('Not started', sayFailure(error, 'Please try again.'));
              },
            })
          }
        >
          Compare it now
        </Button>
        <Button
          busy={share !== undefined}
          busyText={`Saving… ${Math.round(100 * (share ?? 0))}%`}
          onClick={() => void take()}
        >
          Take the log along
        </Button>
      </Row>
      <Text size="small" tone="dim">
        A comparison reads every entry from its store, and checks it against the tree and every signed
        checkpoint. It is done each night. The log that you take along is checked anywhere by the program
        verify-log.
      </Text>
      <Box render="ul" gap="$16">
        {state.checks.map((one) => (
          <Comparison key={one.id} check={one} />
        ))}
      </Box>
    </Panel>
  );
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Entry number, booking (`booking 12`), reference, stream position (`booking-12@0`) or event id. */
const asked = (text: string): AskedEntry | undefined => {
  if (UUID.test(text)) return { id: text.toLowerCase() };
  const booking = /^booking\s+(\d{1,12})$/i.exec(text);
  if (booking) return { booking: Number(booking[1]) };
  if (/^BK[0-9A-Z]{6,20}$/i.test(text)) return { reference: text.toUpperCase() };
  const place = /^(\S{1,200})@(\d{1,12})$/.exec(text);
  if (place) return { stream: place[1] ?? '', revision: Number(place[2]) };
  const entry = /^\d{1,12}$/.test(text.replaceAll(',', '')) ? Number(text.replaceAll(',', '')) : 0;
  return entry > 0 ? { entry } : undefined;
};

const OneEntry = () => {
  const [text, setText] = useState('');
  const [complaint, setComplaint] = useState<string>();
  const proof = useEntryProof();
  const prove = (event: FormEvent) => {
    event.preventDefault();
    const query = asked(text.trim());
    setComplaint(
      query
        ? undefined
        : 'Please enter an entry’s number, a booking’s reference, “booking 12”, a place such as booking-12@0, or an event’s id',
    );
    if (query) proof.mutate(query, { onError: loggedOut });
  };
  return (
    <Panel padding="$20" gap="$20" $md={{ padding: '$24' }}>
      <Heading render="h2" size="title">
        One entry
      </Heading>
      <form onSubmit={prove} noValidate>
        <Box gap="$16">
          <Field
            label="Entry, booking, place in a stream or event’s id"
            value={text}
            onChange={(event) => setText(event.target.value)}
            error={complaint}
            hint="10203, BK4X7QPM2D, booking 12, or booking-12@0"
          />
          <Row>
            <Button type="submit" kind="outline" busy={proof.isPending} busyText="Checking…">
              Prove it
            </Button>
          </Row>
        </Box>
      </form>
      <Box role="status">
        {proof.error ? (
          <Text>{sayFailure(proof.error, 'The proof didn’t load. Please try again.')}</Text>
        ) : proof.data && !proof.isPending ? (
          <Verdict
            checked={proof.data}
            subject={`${proof.data.receipt.entry.type} (${proof.data.receipt.entry.stream}, revision ${proof.data.receipt.entry.revision})`}
            name={`receipt-entry-${proof.data.receipt.index + 1}`}
          />
        ) : null}
      </Box>
    </Panel>
  );
};

export const ProofTab = () => {
  const { data, error } = useVerification();
  return (
    <Box gap="$24">
      {data ? (
        <WholeLog state={data} />
      ) : error ? (
        <Notice tone="bad" alert title="The state of the proof didn’t load">
          {sayFailure(error, 'Please try again.')}
        </Notice>
      ) : (
        <Loading label="Loading the state of the proof">
          <Skeleton height={220} />
        </Loading>
      )}
      <OneEntry />
    </Box>
  );
};
