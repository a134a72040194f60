import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { DomainEvent } from '#domain/kernel/decider.ts';
import { defineEvent, type EventSchemas } from '#domain/kernel/event.ts';
import { erased, type Personal } from '#domain/kernel/personal.ts';
import { SubjectErased } from '#infra/keys/key-store.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { createCodec, SealBroken, UnknownEventType } from './codec.ts';
import type { NewEvent, RecordedEvent } from './event-log.ts';
import type { Context } from './recorded.ts';

const nothing = { audit: null, work: false } as const;

const schemas = {
  Counted: defineEvent<{ n: number }>()(nothing),
  Named: defineEvent<{ who: string; name: Personal<string>; note: Personal<string | null>; n: number }>()({
    ...nothing,
    sealed: ['name', 'note'],
    person: (data) => data.who,
  }),
  Moved: defineEvent<{ who: string; address: Personal<{ city: string }> }>()({
    ...nothing,
    version: 3,
    sealed: ['address'],
    person: (data) => data.who,
    upcast: {
      1: ({ town, ...data }: { town: Personal<string> }) => ({ ...data, city: town }),
      2: ({ city, ...data }: { city: Personal<string> }) => ({
        ...data,
        address: typeof city === 'string' ? { city } : erased,
      }),
    },
  }),
} satisfies EventSchemas;

/** Its first version. */
const movedOnce = defineEvent<{ who: string; town: string }>()({
  ...nothing,
  sealed: ['town'],
  person: (data) => data.who,
});

const system: Context = {
  commandId: 'c-1',
  correlationId: 'r-1',
  actor: { kind: 'system' },
  at: '2026-11-21T10:00:00.000Z',
};
const setUp = () => {
  const keys = createMemoryKeyStore();
  const codec = createCodec(keys, schemas);
  const encode = async (event: DomainEvent, context = system, stream = 's-1'): Promise<NewEvent> =>
    codec.encode(event, 'id-1', stream, context, await codec.encodeMeta(context));
  return { keys, codec, encode };
};
const recorded = (event: NewEvent, over: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...event,
  stream: 's-1',
  revision: 0,
  position: '1',
  recordedAt: '2026-11-21T10:00:01.000Z',
  ...over,
});
const named = (name: unknown = 'Łucja', who = 'ann'): DomainEvent => ({
  type: 'Named',
  data: { who, name, note: null, n: 1 },
});

describe('plain events', () => {
  it('are encoded as canonical JSON, synchronously', () => {
    const { codec } = setUp();
    const meta = codec.encodeMeta({
      ...system,
      causationId: 'e-0',
      actor: { kind: 'user', role: 'user', id: 'ann' },
    });
    expect(meta).toBe(
      '{"actor":{"id":"ann","kind":"user","role":"user"},"at":"2026-11-21T10:00:00.000Z","causationId":"e-0","commandId":"c-1","correlationId":"r-1"}',
    );
    expect(codec.encode({ type: 'Counted', data: { n: 1 } }, 'id-1', 's-1', system, 'meta')).toEqual({
      id: 'id-1',
      type: 'Counted',
      version: 1,
      data: '{"n":1}',
      meta: 'meta',
    });
  });

  it('of unknown types or newer versions are refused by name', async () => {
    const { codec, encode } = setUp();
    await expect(encode({ type: 'Nonsense', data: {} })).rejects.toThrow(/type Nonsense/);
    await expect(encode({ type: 'toString', data: {} })).rejects.toThrow(UnknownEventType);
    const event = await encode({ type: 'Counted', data: { n: 1 } });
    await expect(codec.decode([recorded({ ...event, type: 'Nonsense' })])).rejects.toThrow(UnknownEventType);
    await expect(codec.decode([recorded({ ...event, version: 2 })])).rejects.toThrow(/newer program/);
  });
});

describe('personal fields', () => {
  it('are sealed, and opened again', async () => {
    const { codec, encode } = setUp();
    const event = await encode(named());
    expect(event.data).not.toContain('Łucja');
    expect(JSON.parse(event.data)).toMatchObject({
      who: 'ann',
      n: 1,
      name: { key: 1, of: 'ann' },
      note: { of: 'ann' },
    });
    const [opened] = await codec.decode([recorded(event)]);
    expect(opened?.event).toEqual(named());
  });

  it('round-trip whatever they hold', async () => {
    const { codec, encode } = setUp();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()), async (value) => {
        const plainValue = JSON.parse(JSON.stringify(value));
        const [opened] = await codec.decode([recorded(await encode(named(plainValue)))]);
        expect(opened?.event.data).toMatchObject({ name: plainValue });
      }),
    );
  });

  it('hide their length up to 60 characters, and whether there is a value', async () => {
    const { encode } = setUp();
    const lengths = await Promise.all(
      [null, '', 'Al', 'x'.repeat(60)].map(async (name) => (await encode(named(name))).data.length),
    );
    expect(new Set(lengths).size).toBe(1);
  });

  it('can only be opened in their own event, stream and field', async () => {
    const { codec, encode } = setUp();
    const event = await encode(named());
    const data = JSON.parse(event.data);
    const swapped = { ...event, data: JSON.stringify({ ...data, name: data.note, note: data.name }) };
    await expect(codec.decode([recorded(swapped)])).rejects.toThrow(SealBroken);
    await expect(codec.decode([recorded(event, { stream: 's-2' })])).rejects.toThrow(SealBroken);
    const cut = { ...event, data: JSON.stringify({ ...data, name: { ...data.name, $sealed: 'AAAA' } }) };
    await expect(codec.decode([recorded(cut)])).rejects.toThrow(SealBroken);
  });

  it('become `erased` once the key is destroyed, in old events and in later ones by others', async () => {
    const { keys, codec, encode } = setUp();
    const before = await encode(named());
    await keys.destroy('ann');
    const after = await encode(named());
    for (const event of [before, after])
      expect((await codec.decode([recorded(event)]))[0]?.event.data).toEqual({
        who: 'ann',
        n: 1,
        name: erased,
        note: erased,
      });
    expect(after.data).not.toContain('sealed');
  });

  it('are refused in new events by an erased person', async () => {
    const { keys, encode } = setUp();
    await keys.destroy('ann');
    const by = (actor: Context['actor']) => encode(named(), { ...system, actor });
    await expect(by({ kind: 'user', id: 'ann' })).rejects.toThrow(SubjectErased);
    await expect(by({ kind: 'visitor' })).rejects.toThrow(SubjectErased);
    await expect(by({ kind: 'user', id: 'root', role: 'superuser' })).resolves.toBeDefined();
  });

  it('keep an erased value erased', async () => {
    const { codec, encode } = setUp();
    const event = await encode(named(erased));
    expect((await codec.decode([recorded(event)]))[0]?.event.data).toMatchObject({
      name: erased,
      note: null,
    });
  });

  it('of a whole batch are opened with one fetch, and with none if the keys are cached', async () => {
    const { keys, codec, encode } = setUp();
    const events = await Promise.all(['ann', 'bob', 'ann', 'cy'].map((who) => encode(named(who, who))));
    const fetch = vi.spyOn(keys, 'fetch');
    await codec.decode(events.map((event) => recorded(event)));
    expect(fetch).not.toHaveBeenCalled();
    const opening = vi.spyOn(keys, 'opening').mockReturnValue(undefined);
    const opened = await codec.decode(events.map((event) => recorded(event)));
    opening.mockRestore();
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(fetch.mock.calls[0]?.[0]).toHaveLength(3);
    expect(opened.map(({ event }) => 'name' in event.data && event.data.name)).toEqual([
      'ann',
      'bob',
      'ann',
      'cy',
    ]);
  });
});

describe('events of old versions', () => {
  it('are upcast step by step after they were opened', async () => {
    const { keys, codec } = setUp();
    const old = createCodec(keys, {
      Moved: movedOnce,
    });
    const event = await old.encode(
      { type: 'Moved', data: { who: 'ann', town: 'Leeds' } },
      'id',
      's-1',
      system,
      '{"actor":{}}',
    );
    expect((await codec.decode([recorded(event)]))[0]?.event.data).toEqual({
      who: 'ann',
      address: { city: 'Leeds' },
    });
    await keys.destroy('ann');
    expect((await codec.decode([recorded(event)]))[0]?.event.data).toEqual({ who: 'ann', address: erased });
  });
});

describe('the caller’s address in an event’s metadata', () => {
  const visitor: Context = { ...system, actor: { kind: 'visitor', ip: '192.0.2.7' } };

  it('is sealed with the month’s key and opened only on request', async () => {
    const { keys, codec, encode } = setUp();
    const event = await encode({ type: 'Counted', data: { n: 1 } }, visitor);
    expect(event.meta).not.toContain('192.0.2.7');
    const [closed] = await codec.decode([recorded(event)]);
    expect(closed?.meta.actor.ip).toMatchObject({ of: 'visitor-2026-11' });
    const [open] = await codec.decode([recorded(event)], { openIp: true });
    expect(open?.meta).toEqual(visitor);
    await keys.destroy('visitor-2026-11');
    const [gone] = await codec.decode([recorded(event)], { openIp: true });
    expect(gone?.meta.actor.ip).toEqual(erased);
    expect(await codec.encodeMeta({ ...visitor, actor: { ...visitor.actor } })).toContain(
      '"ip":{"erased":true}',
    );
  });

  it('of a signed-in caller is sealed with their own key and erased with it', async () => {
    const { keys, codec, encode } = setUp();
    const ann: Context = { ...system, actor: { kind: 'user', id: 'ann', role: 'user', ip: '192.0.2.7' } };
    const event = await encode({ type: 'Counted', data: { n: 1 } }, ann);
    expect((await codec.decode([recorded(event)], { openIp: true }))[0]?.meta).toEqual(ann);
    await keys.destroy('ann');
    expect((await codec.decode([recorded(event)], { openIp: true }))[0]?.meta.actor.ip).toEqual(erased);
    expect(await codec.encodeMeta({ ...ann, actor: { ...ann.actor } })).toContain('"ip":{"erased":true}');
  });

  it('is sealed once for all commands of a request and cannot be opened in another request', async () => {
    const { codec } = setUp();
    const ipOf = async (context: Context): Promise<unknown> =>
      JSON.parse(await codec.encodeMeta(context)).actor.ip.$sealed;
    const first = await ipOf(visitor);
    expect(await ipOf({ ...visitor, commandId: 'c-2', at: '2026-11-21T10:00:00.500Z' })).toBe(first);
    expect(await ipOf({ ...visitor, correlationId: 'r-2' })).not.toBe(first);
    expect(await ipOf({ ...visitor, actor: { ...visitor.actor } })).not.toBe(first);
    const meta = (await codec.encodeMeta(visitor)).replace('"r-1"', '"r-2"');
    const moved = recorded({ id: 'id-1', type: 'Counted', version: 1, data: '{"n":1}', meta });
    await expect(codec.decode([moved], { openIp: true })).rejects.toThrow(SealBroken);
  });
});
