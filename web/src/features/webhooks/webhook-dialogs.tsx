import { useRef, useState } from 'react';
import {
  type AdminWebhook,
  adminWebhookCalls,
  type Delivery,
  editWebhookRequest,
  type SavedWebhook,
} from '#domain/contracts/admin-webhooks.ts';
import { HOOK_TYPES } from '#domain/webhook/events.ts';
import { useList } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { check } from '#web/lib/formatters/form.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Chip, Chips } from '#web/ui/chip.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Check, Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { RemoveDialog } from '#web/ui/form/remove-dialog.tsx';
import { ANYWHERE } from '#web/ui/list/columns.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Text } from '#web/ui/text.tsx';
import { Fold } from '#web/ui/timeline.tsx';

const stale = [adminWebhookCalls.list];
const PER_PAGE = 8;
/** Milliseconds. */
const EVERY = 2_000;

export const deliveryStates: Readonly<Record<Delivery['status'], { tone: Tone; words: string }>> = {
  waiting: { tone: 'warn', words: 'Waiting' },
  sent: { tone: 'good', words: 'Sent' },
  failed: { tone: 'bad', words: 'Failed' },
};

/** The clipboard API needs https. */
const copy = async (secret: string) => {
  try {
    await navigator.clipboard.writeText(secret);
    toast({ title: 'Copied' });
  } catch {
    toastError('Not copied', 'Please select the secret, and copy it.');
  }
};

/** The secret is shown once, so only its own button closes the dialog. */
const Secret = ({ secret, note, onClose }: { secret: string; note: string; onClose: () => void }) => (
  <Dialog open locked onClose={onClose} title="The webhook’s secret">
    <Text>
      Enter it in the system that is told, which checks each message with it. It is shown this once.
    </Text>
    <pre className="code">{secret}</pre>
    <Text size="small" tone="dim">
      {note}
    </Text>
    <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
      <Button onClick={() => void copy(secret)}>Copy it</Button>
      <Button kind="primary" onClick={onClose}>
        I have it
      </Button>
    </Row>
  </Dialog>
);

/** The types are one string, so that an unchanged form compares equal. */
const formOf = ({
  url = '',
  description = '',
  types = [],
  isActive = true,
  revision,
}: Partial<SavedWebhook> = {}) => ({
  ...{ url, description, types: types.join(' '), isActive, revision },
});
const typesIn = (types: string): readonly string[] => types.split(' ').filter(Boolean);

export const EditHook = ({ hook, onClose }: { hook: AdminWebhook | undefined; onClose: () => void }) => {
  const [secret, setSecret] = useState<string>();
  const made = useRef(false);
  const change = useChange(hook ? adminWebhookCalls.edit : adminWebhookCalls.create, {
    params: { id: hook?.id ?? 0 },
    stale,
    done: (saved) => {
      if ('secret' in saved && typeof saved.secret === 'string') {
        made.current = true;
        setSecret(saved.secret);
      }
      return { title: hook ? 'Webhook updated' : 'Webhook added', description: saved.url };
    },
    failed: hook ? 'Failed to update webhook' : 'Failed to add webhook',
  });
  if (secret)
    return (
      <Secret
        secret={secret}
        note="It signs by Standard Webhooks: any library for that checks it."
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={hook ? 'Edit webhook' : 'Add Webhook'}
      blank={formOf(hook)}
      reopen={formOf}
      check={(form) => check(editWebhookRequest, { ...form, types: typesIn(form.types) })}
      submit={hook ? 'Save' : 'Add Webhook'}
      busyText="Saving..."
      width={640}
      onClose={() => made.current || onClose()}
      {...{ change }}
    >
      {({ field, form, change: set }) => (
        <>
          <Field
            label="Address"
            type="url"
            placeholder="https://"
            hint="Public, over https. Redirects are not followed."
            {...field('url')}
          />
          <Field label="Description" optional maxLength={200} {...field('description')} />
          <Types
            chosen={typesIn(form.types)}
            error={field('types').error}
            onChange={(types) => set({ types: types.join(' ') })}
          />
          <Check
            label="Active: it is told what happens"
            checked={form.isActive}
            onChange={({ target }) => set({ isActive: target.checked })}
          />
        </>
      )}
    </FormDialog>
  );
};

const Types = ({
  chosen,
  error,
  onChange,
}: {
  chosen: readonly string[];
  error: string | undefined;
  onChange: (types: readonly string[]) => void;
}) => (
  <Box gap="$8">
    <Text size="small" strong>
      It is told of
    </Text>
    <Chips label="It is told of" wrap>
      {HOOK_TYPES.map((type) => (
        <Chip
          key={type}
          on={chosen.includes(type)}
          onClick={() => onChange(HOOK_TYPES.filter((one) => chosen.includes(one) !== (one === type)))}
        >
          {type}
        </Chip>
      ))}
    </Chips>
    {error ? (
      <Text size="small" tone="bad" role="alert">
        {error}
      </Text>
    ) : null}
  </Box>
);

export const RenewSecret = ({ hook: { id, url }, onClose }: { hook: AdminWebhook; onClose: () => void }) => {
  const [renewed, setRenewed] = useState<{ secret: string; formerUntil: string }>();
  const made = useRef(false);
  if (renewed)
    return (
      <Secret
        secret={renewed.secret}
        note={`The former one signs beside it until ${moment(renewed.formerUntil)}.`}
        onClose={onClose}
      />
    );
  return (
    <RemoveDialog
      call={adminWebhookCalls.renewSecret}
      change={{
        params: { id },
        stale,
        done: (answer) => {
          made.current = true;
          setRenewed(answer);
          return { title: 'New secret', description: url };
        },
        failed: 'No new secret',
      }}
      title="Make a new secret?"
      confirm="Make it"
      refuse="Keep the old one"
      busyText="Making..."
      onClose={() => made.current || onClose()}
    >
      For a day messages are signed with both, so that nothing is missed while you enter it.
    </RemoveDialog>
  );
};

const Message = ({ message }: { message: Delivery }) => {
  const { id, type, status, createdAt, dueAt, attempts, body, messageId } = message;
  const again = useChange(adminWebhookCalls.sendAgain, {
    params: { id },
    stale: [adminWebhookCalls.deliveries, adminWebhookCalls.list],
    done: (said) => ({ title: said.message, description: type }),
    failed: 'Not sent again',
  });
  const last = attempts.at(-1);
  return (
    <Box render="li" gap="$4">
      <Row gap="$12" flexWrap="wrap">
        <Badge tone={deliveryStates[status].tone}>{deliveryStates[status].words}</Badge>
        <Text strong>{type}</Text>
        <Text size="small" tone="dim" figures>
          {moment(createdAt)}
        </Text>
      </Row>
      <Text size="small" figures>
        {`${last ? (last.status ? `Answered ${last.status}` : 'No answer') : 'Not tried yet'} · ${attempts.length} ${attempts.length === 1 ? 'try' : 'tries'}${dueAt && last ? ` · next ${moment(dueAt)}` : ''}`}
      </Text>
      <Fold title={`Message ${messageId}`}>
        <Box gap="$12">
          <pre className="code">{JSON.stringify(JSON.parse(body), null, 2)}</pre>
          {attempts.map(({ at, status: code, milliseconds, answer }) => (
            <Text key={at} size="small" figures>
              {`${moment(at)}: ${code ?? 'no answer'} after ${milliseconds} ms${answer ? `, “${answer}”` : ''}`}
            </Text>
          ))}
          <Row>
            <Button
              size="compact"
              busy={again.isPending}
              busyText="Sending..."
              aria-label={`Send ${messageId} again`}
              onClick={() => again.mutate(undefined)}
            >
              Send again
            </Button>
          </Row>
        </Box>
      </Fold>
    </Box>
  );
};

export const Deliveries = ({
  hook: { id, url, isActive },
  onClose,
}: {
  hook: AdminWebhook;
  onClose: () => void;
}) => {
  const [page, setPage] = useState(1);
  const query = { hook: String(id), page: String(page), limit: String(PER_PAGE) };
  const { data, error } = useList(adminWebhookCalls.deliveries, { query }, { refetchInterval: EVERY });
  const test = useChange(adminWebhookCalls.test, {
    params: { id },
    stale: [adminWebhookCalls.deliveries],
    done: (said) => ({ title: said.message, description: url }),
    failed: 'No test was sent',
  });
  return (
    <Dialog open onClose={onClose} title="Messages" width={760}>
      <Text style={ANYWHERE}>{url}</Text>
      {error ? (
        <Notice tone="bad" alert title="The messages didn’t load">
          {sayFailure(error)}
        </Notice>
      ) : !data ? (
        <Skeleton height={240} />
      ) : data.items.length === 0 ? (
        <Text tone="dim">Nothing has been sent yet.</Text>
      ) : (
        <Box render="ul" gap="$16" aria-label="Messages, the newest first">
          {data.items.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </Box>
      )}
      <Row justifyContent="space-between" gap="$12" flexWrap="wrap">
        <Button
          disabled={!isActive}
          busy={test.isPending}
          busyText="Sending..."
          onClick={() => test.mutate(undefined)}
        >
          Send a test
        </Button>
        <Pagination
          label="Pages of messages"
          page={page}
          pages={Math.max(1, Math.ceil((data?.total ?? 0) / PER_PAGE))}
          onPage={setPage}
        />
      </Row>
    </Dialog>
  );
};
