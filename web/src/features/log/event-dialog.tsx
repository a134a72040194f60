import { useState } from 'react';
import { auditCalls, type EventTree, type LogEntry } from '#domain/contracts/audit.ts';
import { ProofFold } from '#web/features/proof/proof-fold.tsx';
import { useEventProof } from '#web/features/proof/proofs.ts';
import { call } from '#web/lib/api/client.ts';
import { isNoEvent } from '#web/lib/api/event.ts';
import { loggedOut } from '#web/lib/api/logged-out.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import {
  actorOf,
  exactly,
  hiddenAs,
  shortStream,
  valueInWords,
  wordsOfType,
} from '#web/lib/formatters/event.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { toastError } from '#web/lib/toast.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Bytes, Changes, Facts, Tree } from '#web/ui/log.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { Fold } from '#web/ui/timeline.tsx';
import { changeInWords } from './change-in-words.ts';
import type { LogQuery } from './use-log.ts';

const Sealed = ({ entry }: { entry: LogEntry }) => {
  const [shown, setShown] = useState<Readonly<Record<string, unknown>>>();
  const [busy, setBusy] = useState(false);
  const fields = Object.entries(entry.data).filter(([, value]) => hiddenAs(value) === 'sealed');
  const show = async () => {
    setBusy(true);
    try {
      setShown((await call(auditCalls.sealed, { params: { id: entry.id } })).fields);
    } catch (error) {
      if (!loggedOut(error)) toastError('Could not be shown', sayFailure(error));
    }
    setBusy(false);
  };
  if (shown)
    return (
      <Facts
        facts={Object.entries(shown).map(([name, value]) => [
          name,
          value === null ? 'erased for good' : valueInWords(value),
        ])}
      />
    );
  return (
    <Row gap="$12" flexWrap="wrap">
      <Button kind="outline" size="compact" busy={busy} busyText="Opening..." onClick={show}>
        Show what is sealed
      </Button>
      <Text size="small" tone="dim">
        {`Sealed: ${[...fields.map(([name]) => name), 'the address it came from'].join(', ')}. The log records that you looked.`}
      </Text>
    </Row>
  );
};

const EventProof = ({ entry }: { entry: LogEntry }) => {
  const [open, setOpen] = useState(false);
  return (
    <ProofFold
      open={open}
      onOpen={setOpen}
      proof={useEventProof(entry, open)}
      subject={wordsOfType(entry.type)}
      name={`receipt-${entry.id}`}
    />
  );
};

const Leaf = ({ entry, onOpen }: { entry: LogEntry; onOpen: (id: string) => void }) => (
  <Button kind="plain" size="compact" onClick={() => onOpen(entry.id)}>
    {`${wordsOfType(entry.type)}, ${shortStream(entry.stream)}`}
  </Button>
);

const Branches = ({
  of,
  entries,
  onOpen,
}: {
  of: string;
  entries: readonly LogEntry[];
  onOpen: (id: string) => void;
}) => {
  const children = entries.filter(({ causationId }) => causationId === of);
  if (children.length === 0) return null;
  return (
    <Tree>
      {children.map((entry) => (
        <li key={entry.id}>
          <Leaf entry={entry} onOpen={onOpen} />
          <Branches of={entry.id} entries={entries} onOpen={onOpen} />
        </li>
      ))}
    </Tree>
  );
};

const Related = ({
  id,
  tree: { causes, effects, together },
  onOpen,
}: {
  id: string;
  tree: EventTree;
  onOpen: (id: string) => void;
}) => (
  <Box gap="$16">
    <Box gap="$4">
      <Heading render="h3" size="body">
        What caused it
      </Heading>
      {causes.length > 0 ? (
        <Tree>
          {causes.map((entry) => (
            <li key={entry.id}>
              <Leaf entry={entry} onOpen={onOpen} />
            </li>
          ))}
        </Tree>
      ) : (
        <Text size="small" tone="dim">
          A request or a clock, and no other event.
        </Text>
      )}
    </Box>
    <Box gap="$4">
      <Heading render="h3" size="body">
        What it caused
      </Heading>
      {effects.length > 0 ? (
        <Branches of={id} entries={effects} onOpen={onOpen} />
      ) : (
        <Text size="small" tone="dim">
          Nothing so far.
        </Text>
      )}
    </Box>
    {together.length > 0 ? (
      <Fold title={`Done in the same request: ${together.length}`}>
        <Tree>
          {together.map((entry) => (
            <li key={entry.id}>
              <Leaf entry={entry} onOpen={onOpen} />
            </li>
          ))}
        </Tree>
      </Fold>
    ) : null}
  </Box>
);

export const EventDialog = ({
  id,
  onOpen,
  onNarrow,
}: {
  id: string;
  onOpen: (id: string | undefined) => void;
  onNarrow: (query: LogQuery) => void;
}) => {
  const { data, error, refetch } = useAnswer(auditCalls.read, { params: { id } });
  const tree = useAnswer(auditCalls.tree, { params: { id } });
  const entry = data?.entry;
  const missing = isNoEvent(error);
  return (
    <Dialog
      open
      onClose={() => onOpen(undefined)}
      title={entry ? wordsOfType(entry.type) : missing ? 'Event not found' : 'Event'}
      width={760}
    >
      {entry ? (
        <>
          <Facts
            facts={[
              ['Stream', `${entry.stream}, event ${entry.revision + 1}`],
              ['Recorded', exactly(entry.recordedAt)],
              ['By', actorOf(entry)],
              ['Position', entry.position.replace(/^0+/, '')],
            ]}
          />
          <Box gap="$8">
            <Heading render="h3" size="body">
              What it changed
            </Heading>
            {data.changes === null ? (
              <Text size="small" tone="dim">
                Its stream has no state to compare: nobody decides on it, it is very long, or it can’t be
                read.
              </Text>
            ) : data.changes.length === 0 ? (
              <Text size="small" tone="dim">
                Nothing in the state of its stream.
              </Text>
            ) : (
              <Changes changes={data.changes.map(changeInWords)} />
            )}
          </Box>
          <Sealed key={id} entry={entry} />
          {tree.data ? (
            <Related id={id} tree={tree.data} onOpen={onOpen} />
          ) : tree.error ? (
            <NotLoaded what="What belongs to it" error={tree.error} refetch={tree.refetch} />
          ) : (
            <Skeleton height={80} />
          )}
          <EventProof key={`proof ${id}`} entry={entry} />
          <Fold title="As the machine has it">
            <Bytes value={entry} label="The event as JSON" />
          </Fold>
          <Row gap="$8" flexWrap="wrap">
            <Button size="compact" onClick={() => onNarrow({ stream: entry.stream })}>
              All of this stream
            </Button>
            {typeof entry.data.bookingId === 'number' ? (
              <Button size="compact" onClick={() => onNarrow({ search: `${entry.data.bookingId}` })}>
                {`All that names ${entry.data.bookingId}`}
              </Button>
            ) : null}
            {entry.correlationId ? (
              <Button size="compact" onClick={() => onNarrow({ correlation: entry.correlationId ?? '' })}>
                All of this request
              </Button>
            ) : null}
            <Button size="compact" onClick={() => onNarrow({ actor: entry.actor.id ?? entry.actor.kind })}>
              All by the same
            </Button>
          </Row>
        </>
      ) : missing ? (
        <Notice tone="bad" alert title="There is no such event in the log" />
      ) : error ? (
        <NotLoaded what="The event" {...{ error, refetch }} />
      ) : (
        <Box gap="$12">
          <Skeleton width="60%" />
          <Skeleton width="45%" />
          <Skeleton height={160} />
        </Box>
      )}
    </Dialog>
  );
};
