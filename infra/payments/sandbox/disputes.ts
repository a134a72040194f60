import type { ClientBase } from 'pg';
import { badParameter, missing } from './errors.ts';
import { type Form, textAt } from './form.ts';
import { newId } from './new-id.ts';
import { announce } from './webhooks.ts';

export interface DisputeRow {
  readonly id: string;
  readonly intent_id: string;
  readonly amount: number;
  readonly status: 'needs_response' | 'won' | 'lost';
  readonly created_at: Date;
}

const EVIDENCE_FOR = 7 * 86_400;

export const disputeBody = (row: DisputeRow) => {
  const created = Math.floor(row.created_at.getTime() / 1000);
  return {
    id: row.id,
    object: 'dispute' as const,
    amount: row.amount,
    currency: 'gbp',
    payment_intent: row.intent_id,
    reason: 'fraudulent',
    status: row.status,
    evidence_details: { due_by: created + EVIDENCE_FOR },
    created,
  };
};

export const openDispute = async (
  client: ClientBase,
  { id, amount }: { readonly id: string; readonly amount: number },
): Promise<void> => {
  const { rows } = await client.query<DisputeRow>(
    `insert into app.sandbox_dispute (id, intent_id, amount, status) values ($1, $2, $3, 'needs_response') returning *`,
    [newId('dp'), id, amount],
  );
  for (const row of rows) await announce(client, 'charge.dispute.created', disputeBody(row));
};

const EVIDENCE: Readonly<Record<string, DisputeRow['status']>> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
};

export const answerDispute = async (client: ClientBase, id: string, form: Form) => {
  const status = EVIDENCE[textAt(form, 'evidence', 'uncategorized_text') ?? ''];
  if (!status) throw badParameter('evidence', 'The sandbox knows winning_evidence and losing_evidence');
  const { rows } = await client.query<DisputeRow>(
    'update app.sandbox_dispute set status = $2 where id = $1 returning *',
    [id, status],
  );
  if (!rows[0]) throw missing('dispute', id, 'id');
  const body = disputeBody(rows[0]);
  await announce(client, 'charge.dispute.closed', body);
  return { status: 200, body };
};
