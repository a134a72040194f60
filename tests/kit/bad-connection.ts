/**
 * Pages on a bad connection. `walk` sends a person through a flow while one of its calls breaks: they do what the page offers until they
 * have what they came for, and every sentence that the page tells them is held against what is true at the server.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, errors, type Locator, type Page, type Route } from '@playwright/test';
import { expect } from 'vitest';
import { leave } from './browser.ts';

/**
 * What may happen to a call: before the server has heard of it (`fails …`, `answers HTML`, `hangs`, `offline`) or after it has done the
 * work. Where it says nothing else it happens once, and the next try goes through.
 */
export const FAULTS = [
  'fails once',
  'fails until mended',
  'answers HTML',
  'hangs',
  'loses its answer',
  'hangs after the work',
  'offline until mended',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface BreakableCall {
  readonly method: string;
  readonly path: RegExp;
}

export interface Move {
  /** What offers it: a button or link, done once it is visible and enabled. */
  readonly offer: Locator;
  readonly act?: () => Promise<void>;
  /** Whether it says yes to something that can't be taken back. */
  readonly yes?: true;
}

/** Words that may only be told while something is true at the server. */
export interface Claim {
  readonly words: RegExp;
  isTrue(): boolean | Promise<boolean>;
}

/** A person who is about to do something on a page of their own. */
export interface Walker {
  readonly page: Page;
  readonly path: string;
  readonly moves: readonly Move[];
  readonly claims: readonly Claim[];
  /** Whether they have what they came for. */
  isDone(): Promise<boolean>;
  /** Hears of each answer of the server, also of those that never reach the page. */
  heard?(path: string, status: number): void;
  /** Fails unless it was done once. */
  judge(): Promise<void>;
}

export interface Flow {
  readonly name: string;
  readonly calls: Readonly<Record<string, BreakableCall>>;
  begin(): Promise<Walker>;
}

/** How much faster the page's clock goes, so that nobody waits for its limits. */
const HASTE = 5;
/** How long the page may take until it offers a way on, in milliseconds. */
const PATIENCE = 60_000;
const MOST_MOVES = 20;
/** How long somebody tries to press what the page has offered, in milliseconds. */
const GONE_AFTER = 5_000;
/** What a page says that goes on asking by itself: there may be nothing to do until the connection is mended. */
const STILL_ASKING = /don’t know yet|went through|looking for your booking|nothing is sent until you’re back/;

/** Words that no bad connection makes true. */
const NEVER: Claim = {
  words: /Invalid email or password|Event Not Found|\bundefined\b|\[object/,
  isTrue: () => false,
};

/** Makes the clocks of all pages go faster, as far as only limits and pauses go by them. */
const hasten = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((haste: number) => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (limit) => timeout.call(AbortSignal, limit / haste);
    const wait = window.setTimeout;
    window.setTimeout = ((run: TimerHandler, delay = 0, ...rest: unknown[]) =>
      wait(run, delay >= 300 ? delay / haste : delay, ...rest)) as typeof window.setTimeout;
    const now = performance.now.bind(performance);
    performance.now = () => now() * haste;
  }, HASTE);

/** Hears whatever the pages tell people: titles, messages, dialogs. */
const listen = async (context: BrowserContext): Promise<string[]> => {
  const told: string[] = [];
  await context.exposeBinding('tellSpec', (_source, text: string) => void told.push(text));
  await context.addInitScript(() => {
    const last = new WeakMap<Element, string>();
    const look = (): void => {
      for (const speaker of document.querySelectorAll('[role=alert], [role=status], dialog[open], main h1')) {
        const text = speaker.textContent?.trim() ?? '';
        if (text === '' || last.get(speaker) === text) continue;
        last.set(speaker, text);
        (window as unknown as { tellSpec(text: string): void }).tellSpec(text);
      }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return told;
};

/** Breaks a call of a page. Returns what mends it, and whether it has happened. */
const strike = async (
  { page, heard }: Walker,
  { method, path }: BreakableCall,
  fault: Fault,
): Promise<{ readonly hasHappened: () => boolean; readonly mend: () => Promise<void> }> => {
  let times = 0;
  let mended = false;
  const answered = async (route: Route): Promise<void> => {
    const answer = await route.fetch();
    heard?.(new URL(answer.url()).pathname, answer.status());
  };
  const blows: Record<Fault, (route: Route) => Promise<void>> = {
    'fails once': (route) => route.abort('connectionreset'),
    'fails until mended': (route) => route.abort('connectionrefused'),
    'answers HTML': (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<html><h1>Bad Gateway</h1></html>' }),
    hangs: async () => undefined,
    'loses its answer': async (route) => {
      await answered(route);
      await route.abort('connectionreset');
    },
    'hangs after the work': answered,
    'offline until mended': async (route) => {
      await page.context().setOffline(true);
      await route.abort('internetdisconnected');
    },
  };
  page.on('response', (answer) => heard?.(new URL(answer.url()).pathname, answer.status()));
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      const isOver = mended || (times > 0 && !fault.endsWith('until mended'));
      if (route.request().method() !== method || isOver) return route.fallback();
      times += 1;
      await blows[fault](route);
    },
  );
  return {
    hasHappened: () => times > 0,
    async mend() {
      mended = true;
      await page.context().setOffline(false);
    },
  };
};

/** What was offered may be gone when somebody presses it: they then look again. */
const unlessGone = (error: unknown): void => {
  if (!(error instanceof errors.TimeoutError)) throw error;
};

const offered = async ({ moves, page }: Walker): Promise<Move | undefined> => {
  const isAsked = (await page.locator('dialog[open]').count()) > 0;
  // An open dialog keeps everything behind it from being pressed.
  const place = isAsked ? 'dialog[open] ' : '';
  const free = page.locator(`${place}:enabled:not([aria-disabled=true]), ${place}a[href]`);
  for (const move of moves) if (await move.offer.and(free).first().isVisible()) return move;
  return undefined;
};

/**
 * Sends a person through a flow whose call breaks. They follow what the page says and offers; the connection is mended once the page has
 * something to offer after it broke, or says that it goes on asking. It holds that the page tells nothing untrue, that there is always a way on, and
 * what the flow itself demands in the end.
 */
export const walk = async (flow: Flow, name: string, fault: Fault): Promise<void> => {
  const call = flow.calls[name];
  if (!call) throw new Error(`${flow.name} makes no call ${name}`);
  const walker = await flow.begin();
  const { page, claims } = walker;
  await hasten(page.context());
  const told = await listen(page.context());
  const { hasHappened, mend } = await strike(walker, call, fault);
  /** What has been told since the last yes. */
  let standing: string[] = [];

  const judgeWords = async (): Promise<void> => {
    standing.push(...told.splice(0));
    for (const { words, isTrue } of [NEVER, ...claims]) {
      const text = standing.find((one) => words.test(one));
      if (text === undefined) continue;
      const isSo = expect.poll(async () => isTrue(), { timeout: 5_000, message: `the page said: ${text}` });
      await isSo.toBe(true);
    }
  };

  const nextMove = async (): Promise<Move | 'done' | 'told'> => {
    const deadline = Date.now() + PATIENCE;
    while (Date.now() < deadline) {
      if (await walker.isDone()) return 'done';
      const move = await offered(walker);
      if (move) return move;
      if (hasHappened() && told.some((text) => STILL_ASKING.test(text))) return 'told';
      await pause(50);
    }
    throw new Error(`there is no way on: ${await page.locator('body').innerText()}`);
  };

  page.setDefaultTimeout(GONE_AFTER);
  page.setDefaultNavigationTimeout(PATIENCE);
  await page.goto(walker.path);
  for (let moves = 0; ; ) {
    const next = await nextMove();
    await judgeWords();
    if (hasHappened()) await mend();
    if (next === 'done') break;
    if (next === 'told') continue;
    moves += 1;
    if (moves > MOST_MOVES)
      throw new Error(`going round in circles: ${await page.locator('body').innerText()}`);
    if (next.yes) standing = [];
    await (next.act?.() ?? next.offer.first().click()).catch(unlessGone);
  }
  expect(hasHappened(), 'the call was never made').toBe(true);
  await walker.judge();
  await leave(page);
};
